package io.fairlead.dns.cache;

import static io.fairlead.dns.testing.TestReplies.a;
import static io.fairlead.dns.testing.TestReplies.denied;
import static io.fairlead.dns.testing.TestReplies.found;
import static io.fairlead.dns.testing.TestReplies.soa;
import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Rcode;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Answers fetched again before they end, and answers after their end.
class ServeStaleTest {
  private final CountedUpstream upstream = new CountedUpstream();

  private Rig rig(String lines) throws SetupException {
    return new Rig(lines, upstream);
  }

  @Test
  void popularNamesAreFetchedAgainBeforeTheyEnd() throws SetupException {
    try (Rig rig = rig("cache {\n prefetch 2 1m 20%\n}")) {
      rig.ask("db.example.net", "A");
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofSeconds(95));
      upstream.reply = found(a("db.example.net", 120, "192.0.2.81"));
      rig.ask("db.example.net", "A");
      assertThat(upstream.asked).as("the gap was too long").hasValue(1);
      rig.time().advance(Duration.ofSeconds(2));
      assertThat(text(rig.ask("db.example.net", "A"))).contains("192.0.2.80");
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> text(rig.ask("db.example.net", "A")).contains(" 120 IN A 192.0.2.81"));
      assertThat(upstream.asked).hasValue(2);
    }
  }

  @Test
  void onlyOneFetchPerEntry() throws SetupException {
    try (Rig rig = rig("cache {\n prefetch 1 1h 90%\n}")) {
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofSeconds(60));
      upstream.gate = new CountDownLatch(1);
      for (int i = 0; i < 20; i++) {
        rig.ask("db.example.net", "A");
      }
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAtomic(upstream.asked, org.hamcrest.Matchers.equalTo(2));
      upstream.gate.countDown();
      assertThat(upstream.asked).hasValue(2);
    }
  }

  @Test
  void staleIsServedAtOnceAndRenewedBehind() throws SetupException {
    try (Rig rig = rig("cache {\n serve_stale\n}")) {
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofMinutes(30));
      upstream.reply = found(a("db.example.net", 120, "192.0.2.81"));
      Reply stale = rig.ask("db.example.net", "A");
      assertThat(text(stale)).isEqualTo("NOERROR; db.example.net. 0 IN A 192.0.2.80");
      assertThat(stale.options())
          .containsExactly(EdnsOption.error(EdnsOption.ERROR_STALE_ANSWER, ""));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> text(rig.ask("db.example.net", "A")).contains("192.0.2.81"));
    }
  }

  @Test
  void staleHasItsWindow() throws SetupException {
    try (Rig rig = rig("cache {\n serve_stale 10m\n}")) {
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofSeconds(120 + 600));
      upstream.reply = denied(Rcode.SERVFAIL);
      assertThat(rig.ask("db.example.net", "A").rcode()).isEqualTo(Rcode.SERVFAIL);
    }
  }

  @Test
  void staleWithItsOwnTtlAndPauseBetweenChecks() throws SetupException {
    try (Rig rig = rig("cache {\n serve_stale 1h immediate 30 10s\n}")) {
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofMinutes(3));
      upstream.reply = denied(Rcode.REFUSED);
      assertThat(text(rig.ask("db.example.net", "A"))).contains(" 30 IN A 192.0.2.80");
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAtomic(upstream.asked, org.hamcrest.Matchers.equalTo(2));
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofSeconds(11));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                rig.ask("db.example.net", "A");
                return upstream.asked.get() == 3;
              });
    }
  }

  @Test
  void verifyAsksFirst() throws SetupException {
    try (Rig rig = rig("cache {\n serve_stale 1h verify\n}")) {
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofMinutes(3));
      upstream.reply = denied(Rcode.SERVFAIL);
      assertThat(text(rig.ask("db.example.net", "A"))).contains(" 0 IN A 192.0.2.80");
      upstream.reply = found(a("db.example.net", 120, "192.0.2.81"));
      assertThat(text(rig.ask("db.example.net", "A"))).contains(" 120 IN A 192.0.2.81");
    }
  }

  @Test
  void verifyDoesNotWaitForEver() throws SetupException {
    try (Rig rig = rig("cache {\n serve_stale 1h verify 50ms\n}")) {
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofMinutes(3));
      upstream.gate = new CountDownLatch(1);
      assertThat(text(rig.ask("db.example.net", "A"))).contains(" 0 IN A 192.0.2.80");
      upstream.gate.countDown();
    }
  }

  @Test
  void staleAnswerCanOutrankADenial() throws SetupException {
    for (boolean prefer : new boolean[] {true, false}) {
      String policy = prefer ? " serve_stale_policy prefer_positive\n" : "";
      upstream.reply = found(a("db.example.net", 10, "192.0.2.80"));
      try (Rig rig = rig("cache {\n serve_stale 1h verify\n" + policy + "}")) {
        rig.ask("db.example.net", "A");
        rig.time().advance(Duration.ofSeconds(20));
        upstream.reply = denied(Rcode.NXDOMAIN, soa("example.net", 600, 600));
        rig.ask("db.example.net", "A");
        upstream.reply = denied(Rcode.SERVFAIL);
        assertThat(rig.ask("db.example.net", "A").rcode())
            .isEqualTo(prefer ? Rcode.NOERROR : Rcode.NXDOMAIN);
      }
    }
  }
}
