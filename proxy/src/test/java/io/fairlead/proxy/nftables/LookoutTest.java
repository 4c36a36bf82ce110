package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What others do is noticed whether somebody listened already or not.
@Tag("system")
final class LookoutTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Plan NOTHING =
      Plan.empty(NodeFacts.of("node-a", IpAddress.parse("2001:db8::10")));

  private final NetworkNamespace namespace =
      NetworkNamespace.create("lookout-" + ProcessHandle.current().pid());
  private final Lookout lookout = new Lookout();
  private final AtomicInteger noticed = new AtomicInteger();
  private final AtomicInteger noticedToo = new AtomicInteger();
  private NftablesPlane plane;
  private NftablesPlane other;

  @BeforeEach
  void open() {
    plane = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV4, lookout));
    other = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV6, lookout));
    plane.onDrift(noticed::incrementAndGet);
    other.onDrift(noticedToo::incrementAndGet);
  }

  @AfterEach
  void close() {
    plane.close();
    other.close();
    namespace.delete();
  }

  private void write(NftablesPlane which, Plan plan) {
    assertThat(which.apply(plan)).isNotNull();
  }

  private void nft(String... words) {
    Tool.Result result =
        Tool.inside(namespace, LIMIT)
            .run("", Stream.concat(Stream.of("nft"), Stream.of(words)).toList());
    assertThat(result.succeeded()).as(result.error()).isTrue();
  }

  private void damage() {
    nft("delete", "element", "ip", Layout.TABLE_NAME, "fronts", "{ 10.96.0.2 . tcp . 80 }");
  }

  @Test
  void ownWritesAreNoChangeAndForeignOnesAre() {
    write(plane, Plans.many(5));
    write(plane, Plans.many(6));
    write(other, NOTHING);
    write(plane, Plans.many(7));
    assertThat(noticed).hasValue(0);
    assertThat(noticedToo).hasValue(0);
    damage();
    await().atMost(LIMIT).until(() -> noticed.get() > 0);
    assertThat(noticedToo).hasValue(0);
  }

  @Test
  void aChangeBeforeAllHadWrittenIsFoundByCounting() {
    write(plane, Plans.many(5));
    damage();
    assertThat(noticed).as("nobody listens yet").hasValue(0);
    write(other, NOTHING);
    assertThat(noticed).hasValue(1);
    assertThat(noticedToo).as("whose table it was is not known").hasValue(1);
  }

  @Test
  void aFamilyThatIsGoneIsNotWaitedFor() {
    NftablesPlane third = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV6, lookout));
    write(plane, Plans.many(5));
    third.close();
    write(other, NOTHING);
    damage();
    await().atMost(LIMIT).until(() -> noticed.get() > 0);
  }
}
