package io.fairlead.dns.forward;

import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestUpstream.Behavior;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Rcode;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Upstreams that are silent, wrong, slow or gone.
class ForwardFailureTest extends WithUpstreams {
  @Test
  void onlyOtherIdsIsNoAnswer() throws SetupException {
    one.mood = Behavior.WRONG_ID_ONLY;
    try (Rig rig = rig("read_timeout 100ms")) {
      Reply reply = rig.ask("db.example.net", "A");
      assertThat(reply.rcode()).isEqualTo(Rcode.SERVFAIL);
      assertThat(reply.options().getFirst().code()).isEqualTo(EdnsOption.ERROR);
      assertThat(reply.failure()).contains(one.target());
    }
  }

  @Test
  void garbageIsAFailure() throws SetupException {
    one.mood = Behavior.GARBAGE;
    try (Rig rig = rig("max_connect_attempts 1")) {
      assertThat(rig.ask("db.example.net", "A").rcode()).isEqualTo(Rcode.SERVFAIL);
    }
  }

  @Test
  void aSilentServerIsFollowedByTheNext() throws SetupException {
    one.mood = Behavior.SILENT;
    try (Rig rig = both("read_timeout 200ms")) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
    }
  }

  @Test
  void aSilentServerIsTakenOutAndComesBack() throws SetupException {
    one.mood = Behavior.SILENT;
    try (Rig rig = both("read_timeout 200ms", "health_check 20ms")) {
      rig.ask("db.example.net", "A");
      await().atMost(Duration.ofSeconds(60)).until(() -> one.probes.get() >= 4);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                int before = one.udpQueries.get();
                rig.ask("db.example.net", "A");
                return one.udpQueries.get() == before;
              });
      one.mood = Behavior.WELL;
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> text(rig.ask("db.example.net", "A")).contains("192.0.2.80"));
    }
  }

  @Test
  void aClosedPortIsFollowedByTheNext() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    String line = "forward . 127.0.0.1:" + closed + " " + two.target() + " {\npolicy sequential\n}";
    try (Rig rig = new Rig(line, Rig.refusing()).realTime().start()) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
      assertThat(text(askTcp(rig))).contains("192.0.2.81");
    }
  }

  @Test
  void failoverOnRcode() throws SetupException {
    one.mood = Behavior.SERVFAIL;
    try (Rig rig = both("failover SERVFAIL REFUSED")) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
    }
    try (Rig rig = both()) {
      assertThat(rig.ask("db.example.net", "A").rcode()).isEqualTo(Rcode.SERVFAIL);
    }
    two.mood = Behavior.SERVFAIL;
    try (Rig rig = both("failover SERVFAIL")) {
      assertThat(rig.ask("db.example.net", "A").rcode()).isEqualTo(Rcode.SERVFAIL);
    }
  }

  @Test
  void nextLineOnRcode() throws SetupException {
    one.mood = Behavior.SERVFAIL;
    String lines = "forward . " + one.target() + " {\nnext SERVFAIL\n}\nforward . " + two.target();
    try (Rig rig = new Rig(lines, Rig.refusing()).realTime().start()) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
    }
  }

  @Test
  void nextLineOnNodata() throws SetupException {
    one.mood = Behavior.TRUNCATING;
    String lines = "forward . " + one.target() + " {\nnext_on_nodata\n}\nforward . " + two.target();
    try (Rig rig = new Rig(lines, Rig.refusing()).realTime().start()) {
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
    }
  }

  /// Enough answers for the usual time to be known, then the first server falls silent.
  @Test
  void aServerThatTakesUnusuallyLongIsNotWaitedFor() throws SetupException {
    try (Rig rig = both("read_timeout 30s", "max_fails 0")) {
      for (int i = 0; i < 16; i++) {
        assertThat(text(rig.ask("n" + i + ".example.net", "A"))).contains("192.0.2.80");
      }
      one.mood = Behavior.SILENT;
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.81");
      assertThat(one.udpQueries).hasValue(17);
      assertThat(rig.metrics().counter("fairlead_dns_forward_hedges_total", "").get()).isOne();
    }
  }

  @Test
  void bothSilentIsAFailure() throws SetupException {
    try (Rig rig = both("read_timeout 300ms", "max_connect_attempts 1")) {
      for (int i = 0; i < 16; i++) {
        rig.ask("n" + i + ".example.net", "A");
      }
      one.mood = Behavior.SILENT;
      two.mood = Behavior.SILENT;
      Reply reply = rig.ask("db.example.net", "A");
      assertThat(reply.rcode()).isEqualTo(Rcode.SERVFAIL);
      assertThat(two.udpQueries).hasValue(1);
    }
  }
}
