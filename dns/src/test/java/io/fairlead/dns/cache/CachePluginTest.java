package io.fairlead.dns.cache;

import static io.fairlead.dns.testing.TestReplies.a;
import static io.fairlead.dns.testing.TestReplies.cname;
import static io.fairlead.dns.testing.TestReplies.denied;
import static io.fairlead.dns.testing.TestReplies.found;
import static io.fairlead.dns.testing.TestReplies.soa;
import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Rcode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CachePluginTest {
  private final CountedUpstream upstream = new CountedUpstream();

  private Rig rig(String lines) throws SetupException {
    return new Rig(lines, upstream);
  }

  record Kept(String name, String options, Reply reply, int forSeconds, int shownTtl) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Kept> kept() {
    Reply success = found(a("db.example.net", 120, "192.0.2.80"));
    Reply nx = denied(Rcode.NXDOMAIN, soa("example.net", 300, 60));
    return Stream.of(
        new Kept("its own time", "cache", success, 120, 120),
        new Kept("capped by cache N", "cache 30", success, 30, 30),
        new Kept("capped by success", "cache {\n success 5000 20\n}", success, 20, 20),
        new Kept("floor of 5 s", "cache", found(a("db.example.net", 1, "1.2.3.4")), 5, 5),
        new Kept(
            "zero is raised to the floor", "cache", found(a("db.example.net", 0, "1.2.3.4")), 5, 5),
        new Kept(
            "floor set",
            "cache {\n success 5000 60 40\n}",
            found(a("db.example.net", 1, "1.2.3.4")),
            40,
            40),
        new Kept(
            "floor off",
            "cache {\n success 5000 60 0\n}",
            found(a("db.example.net", 1, "1.2.3.4")),
            1,
            1),
        new Kept(
            "zero with floor off",
            "cache {\n success 5000 60 0\n}",
            found(a("db.example.net", 0, "1.2.3.4")),
            0,
            0),
        new Kept(
            "an hour at most", "cache", found(a("db.example.net", 86400, "1.2.3.4")), 3600, 3600),
        new Kept(
            "smallest of all records",
            "cache",
            found(cname("db.example.net", 90, "x.net"), a("x.net", 40, "1.2.3.4")),
            40,
            40),
        new Kept("denial: MINIMUM counts", "cache", nx, 60, 60),
        new Kept(
            "denial: time of the SOA counts",
            "cache",
            denied(Rcode.NXDOMAIN, soa("example.net", 50, 600)),
            50,
            50),
        new Kept(
            "denial: half an hour at most",
            "cache",
            denied(Rcode.NXDOMAIN, soa("example.net", 86400, 86400)),
            1800,
            1800),
        new Kept("denial set", "cache {\n denial 5000 7\n}", nx, 7, 7),
        new Kept("no data", "cache", denied(Rcode.NOERROR, soa("example.net", 300, 60)), 60, 60),
        new Kept(
            "alias without end",
            "cache",
            found(cname("db.example.net", 90, "x.net"))
                .withAuthority(List.of(soa("example.net", 300, 60))),
            60,
            60),
        new Kept("SERVFAIL for 5 s", "cache", denied(Rcode.SERVFAIL), 5, -1),
        new Kept("SERVFAIL set", "cache {\n servfail 30s\n}", denied(Rcode.SERVFAIL), 30, -1),
        new Kept("SERVFAIL off", "cache {\n servfail 0\n}", denied(Rcode.SERVFAIL), 0, -1),
        new Kept("REFUSED never", "cache", denied(Rcode.REFUSED), 0, -1),
        new Kept("truncated never", "cache", success.withFlags(Header.TC), 0, -1),
        new Kept("NXDOMAIN without SOA never", "cache", denied(Rcode.NXDOMAIN), 0, -1),
        new Kept("no data without SOA never", "cache", denied(Rcode.NOERROR), 0, -1),
        new Kept(
            "open alias without SOA never",
            "cache",
            found(cname("db.example.net", 90, "x.net")),
            0,
            -1),
        new Kept("outside the zones never", "cache example.org", success, 0, 120),
        new Kept("inside the zones", "cache example.org example.net", success, 120, 120),
        new Kept("success disabled", "cache {\n disable success example.net\n}", success, 0, 120),
        new Kept("denial disabled", "cache {\n disable denial example.net\n}", nx, 0, 300),
        new Kept(
            "disabled elsewhere",
            "cache 30 {\n disable success cluster.local\n disable denial cluster.local\n}",
            success,
            30,
            30),
        new Kept(
            "116: our own data never, and its time stays (Q23)",
            "cache 30",
            new Reply(
                0,
                Header.AA,
                List.of(a("db.example.net", 28800, "10.96.0.1")),
                List.of(),
                List.of(),
                List.of(),
                null,
                "kubernetes"),
            0,
            28800));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kept")
  void isKept(Kept c) throws SetupException {
    upstream.reply = c.reply();
    try (Rig rig = rig(c.options())) {
      Reply first = rig.ask("db.example.net", "A");
      if (c.shownTtl() >= 0) {
        Stream.concat(first.answer().stream(), first.authority().stream())
            .forEach(each -> assertThat(each.ttl()).isEqualTo(c.shownTtl()));
      }
      if (c.forSeconds() > 0) {
        rig.time().advance(Duration.ofSeconds(c.forSeconds()).minusMillis(1));
        rig.ask("db.example.net", "A");
        assertThat(upstream.asked).as("a hit").hasValue(1);
        rig.time().advance(Duration.ofMillis(1));
      }
      rig.ask("db.example.net", "A");
      assertThat(upstream.asked).as("a miss").hasValue(2);
    }
  }

  @Test
  void timeRunsDownOnHits() throws SetupException {
    try (Rig rig = rig("cache")) {
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofSeconds(20));
      assertThat(text(rig.ask("db.example.net", "A")))
          .isEqualTo("NOERROR; db.example.net. 100 IN A 192.0.2.80");
    }
  }

  @Test
  void keepttlShowsTheFirstTime() throws SetupException {
    try (Rig rig = rig("cache {\n keepttl\n}")) {
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofSeconds(20));
      assertThat(text(rig.ask("db.example.net", "A"))).contains(" 120 IN A");
    }
  }

  @Test
  void hitsHaveTheSpellingOfTheirOwnQuestion() throws SetupException {
    try (Rig rig = rig("cache")) {
      rig.ask("db.example.net", "A");
      assertThat(text(rig.ask("DB.Example.NET", "A"))).contains("; DB.Example.NET. 120 IN A");
      assertThat(upstream.asked).hasValue(1);
    }
  }

  @Test
  void hitsKeepTheFlagsOfTheUpstream() throws SetupException {
    try (Rig rig = rig("cache")) {
      rig.ask("db.example.net", "A");
      Reply hit = rig.ask("db.example.net", "A");
      assertThat(hit.is(Header.AA)).isFalse();
      assertThat(hit.is(Header.RA)).isTrue();
    }
  }

  @Test
  void typeAndDnssecMakeAnotherEntry() throws SetupException {
    try (Rig rig = rig("cache")) {
      rig.ask("db.example.net", "A");
      rig.answer(Rig.query("db.example.net", "AAAA"));
      Edns wantsSignatures = new Edns(1232, 0, true, List.of());
      rig.answer(Rig.query("db.example.net", "A", "::1", QueryTransport.TCP, wantsSignatures));
      assertThat(upstream.asked).hasValue(3);
      rig.answer(
          Rig.query(
              "db.example.net",
              "A",
              "::1",
              QueryTransport.TCP,
              new Edns(512, 0, false, List.of())));
      assertThat(upstream.asked).hasValue(3);
    }
  }

  @Test
  void anAnswerReplacesADenialAndTheOtherWayRound() throws SetupException {
    try (Rig rig = rig("cache")) {
      upstream.reply = denied(Rcode.NXDOMAIN, soa("example.net", 10, 10));
      rig.ask("db.example.net", "A");
      rig.time().advance(Duration.ofSeconds(10));
      upstream.reply = found(a("db.example.net", 10, "192.0.2.80"));
      assertThat(rig.ask("db.example.net", "A").rcode()).isZero();
      rig.time().advance(Duration.ofSeconds(10));
      upstream.reply = denied(Rcode.NXDOMAIN, soa("example.net", 10, 10));
      assertThat(rig.ask("db.example.net", "A").rcode()).isEqualTo(Rcode.NXDOMAIN);
      assertThat(rig.ask("db.example.net", "A").rcode()).isEqualTo(Rcode.NXDOMAIN);
    }
  }

  @Test
  void entriesOutliveAReload() throws SetupException {
    SharedResources shared = new SharedResources();
    Rig before = new Rig(".", "cache 30", upstream, shared, List.of());
    before.ask("db.example.net", "A");
    try (Rig after = new Rig(".", "cache 30", upstream, shared, List.of())) {
      before.close();
      after.ask("db.example.net", "A");
      assertThat(upstream.asked).hasValue(1);
    }
  }

  record Fault(String options, String message) {}

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault("cache\ncache", "Corefile:3: cache can only be used once"),
        new Fault("cache 0", "not between 1"),
        new Fault("cache {\n prefetc 1\n}", "did you mean 'prefetch'?"),
        new Fault("cache {\n success\n}", "usage: success CAPACITY"),
        new Fault("cache {\n success lots\n}", "'lots' is not a number"),
        new Fault("cache {\n prefetch 1 1m 10\n}", "needs its sign: 10%"),
        new Fault("cache {\n prefetch 1 1m 95%\n}", "not between 10 and 90"),
        new Fault("cache {\n servfail 6m\n}", "more than 5 minutes"),
        new Fault("cache {\n serve_stale 1h sometimes\n}", "mode 'sometimes' is unknown"),
        new Fault("cache {\n disable all\n}", "success or denial"),
        new Fault("cache {\n keepttl yes\n}", "wrong number of arguments"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void isRefused(Fault c) {
    assertThatThrownBy(() -> rig(c.options()))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining(c.message());
  }
}
