package io.fairlead.dns.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.CorefileImports;
import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ReplyValidity;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.VirtualTime;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.work.Pacer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// What the table of ready replies keeps, for whom and for how long.
class ReadyRepliesTableTest {
  private static final int ID_BYTES = 2;
  private static final int FLOOD = 200_000;
  private static final byte[] POPULAR = packet("popular.test");
  private static final byte[] REPLY = DnsTestClient.query("reply.test", "TXT", null).write(512);

  private final VirtualTime time = new VirtualTime();
  private final ReadyReplies ready = new ReadyReplies(time);
  private final Router router = router();
  private final Router.Route route = route(router);
  private final AtomicBoolean valid = new AtomicBoolean(true);

  private static byte[] packet(String name) {
    return DnsTestClient.query(name, "A", null).write(512);
  }

  private static Router router() {
    try {
      SplittableRandom random = new SplittableRandom(7);
      DnsServerDependencies dependencies =
          new DnsServerDependencies(
              StandardPlugins.byName(),
              InstantSource.system(),
              new VirtualTime(),
              Pacer.system(),
              random,
              DnsServerDependencies.SLOW_QUERIES);
      Metrics metrics = new Metrics();
      String corefile = ".:0 {\n whoami\n}";
      return ServerInstance.of(
              dependencies,
              new ServerInstance.ProcessContext(
                  metrics,
                  new DnsServerMetrics(metrics),
                  new SharedResources(),
                  new Rig("whoami", Rig.refusing())),
              Corefile.parse(
                      Path.of("Corefile"), corefile, 53, CorefileImports.files(), System::getenv)
                  .blocks())
          .routers()
          .values()
          .iterator()
          .next();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Router.Route route(Router of) {
    Router.Route found = of.route(Name.of("popular.test"), RecordType.A);
    if (found == null) {
      throw new IllegalStateException("no route");
    }
    return found;
  }

  private void keep(byte[] packet, byte[] reply) {
    ReplyValidity validity = _ -> valid.get();
    Reply made = Reply.of("hosts", Rcode.NOERROR).withValidity(validity);
    ready.keep(packet, packet.length, reply, router, route, made);
  }

  private int answer(byte[] packet, Router asked, byte[] out) {
    QueryView view = new QueryView();
    view.read(packet, packet.length);
    return ready.answer(asked, view, packet.length, out, false);
  }

  private boolean answers(byte[] packet) {
    return answer(packet, router, new byte[4096]) > 0;
  }

  @Test
  void aPacketIsKeptWhenItComesTheSecondTime() {
    keep(POPULAR, REPLY);
    assertThat(answers(POPULAR)).isFalse();
    keep(POPULAR, REPLY);
    byte[] out = new byte[4096];
    int length = answer(POPULAR, router, out);
    assertThat(length).isEqualTo(REPLY.length);
    assertThat(Arrays.copyOf(out, ID_BYTES)).isEqualTo(Arrays.copyOf(POPULAR, ID_BYTES));
    assertThat(Arrays.copyOfRange(out, ID_BYTES, length))
        .isEqualTo(Arrays.copyOfRange(REPLY, ID_BYTES, length));
  }

  @Test
  void aKeptPacketIsACopy() {
    byte[] mine = POPULAR.clone();
    keep(mine, REPLY);
    keep(mine, REPLY);
    Arrays.fill(mine, (byte) 0);
    assertThat(answers(POPULAR)).isTrue();
  }

  @Test
  void aPacketThatDiffersInOneBitIsAnother() {
    keep(POPULAR, REPLY);
    keep(POPULAR, REPLY);
    for (int at = ID_BYTES; at < POPULAR.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] other = POPULAR.clone();
        other[at] ^= (byte) (1 << bit);
        assertThat(ready.answer(router, view(other), other.length, new byte[4096], false))
            .as("byte %d, bit %d", at, bit)
            .isZero();
      }
    }
    byte[] longer = Arrays.copyOf(POPULAR, POPULAR.length + 1);
    assertThat(ready.answer(router, view(longer), longer.length, new byte[4096], false)).isZero();
  }

  private static QueryView view(byte[] packet) {
    QueryView view = new QueryView();
    view.read(packet, packet.length);
    return view;
  }

  @Test
  void aFloodOfNamesKeepsNothingAndDrivesNothingOut() {
    keep(POPULAR, REPLY);
    keep(POPULAR, REPLY);
    for (int i = 0; i < FLOOD; i++) {
      keep(packet("n" + i + ".test"), REPLY);
    }
    assertThat(answers(POPULAR)).isTrue();
    int kept = 0;
    for (int i = 0; i < FLOOD; i++) {
      kept += answers(packet("n" + i + ".test")) ? 1 : 0;
    }
    assertThat(kept).isZero();
  }

  @Test
  void neverMoreAreKeptThanThereArePlaces() {
    for (int i = 0; i < FLOOD; i++) {
      byte[] packet = packet("n" + i + ".test");
      keep(packet, REPLY);
      keep(packet, REPLY);
    }
    int kept = 0;
    for (int i = 0; i < FLOOD; i++) {
      kept += answers(packet("n" + i + ".test")) ? 1 : 0;
    }
    assertThat(kept).isBetween(1000, 1 << 13);
  }

  @Test
  void aLongReplyIsNotKept() {
    keep(POPULAR, new byte[1200]);
    keep(POPULAR, new byte[1200]);
    assertThat(answers(POPULAR)).isFalse();
  }

  @Test
  void aReplyThatIsNoLongerValidIsNotRepeated() {
    keep(POPULAR, REPLY);
    keep(POPULAR, REPLY);
    valid.set(false);
    assertThat(answers(POPULAR)).isFalse();
  }

  @Test
  void anotherConfigurationHasRepliesOfItsOwn() {
    keep(POPULAR, REPLY);
    keep(POPULAR, REPLY);
    assertThat(answer(POPULAR, router(), new byte[4096])).isZero();
  }

  @Test
  void clearingForgetsAll() {
    keep(POPULAR, REPLY);
    keep(POPULAR, REPLY);
    ready.clear();
    assertThat(answers(POPULAR)).isFalse();
  }
}
