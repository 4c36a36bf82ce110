package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.testing.PlanFollower;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What others do is noticed whether the monitor listened already or not.
@Tag("system")
final class TableChangeMonitorTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Plan NOTHING =
      Plan.empty(NodeFacts.of("node-a", IpAddress.parse("2001:db8::10")));

  private final NetworkNamespace namespace =
      NetworkNamespace.create("monitor-" + ProcessHandle.current().pid());
  private final TableChangeMonitor monitor = new TableChangeMonitor();
  private final AtomicInteger noticed = new AtomicInteger();
  private final AtomicInteger noticedToo = new AtomicInteger();
  private NftablesPlane plane;
  private NftablesPlane other;

  @BeforeEach
  void open() {
    plane = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV4, monitor));
    other = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV6, monitor));
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
    assertThat(PlanFollower.apply(which, plan)).isNotNull();
  }

  private void nft(String... words) {
    CommandRunner.Result result =
        CommandRunner.inside(namespace, LIMIT)
            .run("", Stream.concat(Stream.of("nft"), Stream.of(words)).toList());
    assertThat(result.succeeded()).as(result.error()).isTrue();
  }

  private void damage() {
    nft(
        "delete",
        "element",
        "ip",
        NftablesTableLayout.TABLE_NAME,
        "fronts",
        "{ 10.96.0.2 . tcp . 80 }");
  }

  @Test
  void ownWritesAreNoChangeAndForeignOnesAre() {
    write(plane, NftablesTestPlans.many(5));
    write(plane, NftablesTestPlans.many(6));
    write(other, NOTHING);
    write(plane, NftablesTestPlans.many(7));
    assertThat(noticed).hasValue(0);
    assertThat(noticedToo).hasValue(0);
    damage();
    await().atMost(LIMIT).until(() -> noticed.get() > 0);
    assertThat(noticedToo).hasValue(0);
    await().atMost(LIMIT).until(() -> plane.lastForeignWriter().isPresent());
    assertThat(plane.lastForeignWriter().orElseThrow().process()).isEqualTo("nft");
    assertThat(other.lastForeignWriter()).isEmpty();
  }

  @Test
  void aChangeBeforeAllHadWrittenIsFoundByCounting() {
    write(plane, NftablesTestPlans.many(5));
    damage();
    assertThat(noticed).as("nobody listens yet").hasValue(0);
    write(other, NOTHING);
    assertThat(noticed).hasValue(1);
    assertThat(noticedToo).as("whose table it was is not known").hasValue(1);
  }

  /// The kernel's messages come through a loop, which goes on.
  @Test
  void aListenerThatThrowsOnceLearnsOfTheNextChange() {
    AtomicInteger calls = new AtomicInteger();
    write(plane, NftablesTestPlans.many(5));
    write(other, NOTHING);
    plane.onDrift(
        () -> {
          if (calls.incrementAndGet() == 1) {
            throw new IllegalStateException("injected");
          }
        });
    damage();
    await().atMost(LIMIT).until(() -> calls.get() > 1);
  }

  @Test
  void aFamilyThatIsGoneIsNotWaitedFor() {
    NftablesPlane third = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV6, monitor));
    write(plane, NftablesTestPlans.many(5));
    third.close();
    write(other, NOTHING);
    damage();
    await().atMost(LIMIT).until(() -> noticed.get() > 0);
  }
}
