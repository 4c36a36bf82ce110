package io.fairlead.dns.builtin;

import static io.fairlead.dns.testing.TestReplies.a;
import static io.fairlead.dns.testing.TestReplies.found;
import static io.fairlead.dns.testing.TestReplies.soa;
import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.ImmutableBytes;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// any, cancel, whoami, chaos, nsid, minimal, header, local, bind, tls and those that only set
/// something.
class SmallPluginsTest {
  private static final Handler END =
      _ -> found(a("a.org", 60, "192.0.2.1")).withAuthority(List.of(soa("org", 60, 60)));

  record Case(String config, String name, String type, String answer) {
    @Override
    public String toString() {
      return config + ": " + name + " " + type;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "any",
            "a.org",
            "ANY",
            "NOERROR; a.org. 8482 IN HINFO \"ANY obsoleted\" \"See RFC 8482\""),
        new Case("minimal", "a.org", "A", "NOERROR; a.org. 60 IN A 192.0.2.1"),
        new Case(
            "cancel",
            "a.org",
            "A",
            "NOERROR; a.org. 60 IN A 192.0.2.1; / org. 60 IN SOA ns.org. host.org. 1 7200 1800"
                + " 86400 60"),
        new Case(
            "whoami",
            "a.org",
            "A",
            "NOERROR; > a.org. 0 IN A 10.244.1.9; > _udp.a.org. 0 IN SRV 0 0 40212 ."),
        new Case("local", "localhost", "A", "NOERROR; localhost. 604800 IN A 127.0.0.1"),
        new Case(
            "local",
            "1.0.0.127.in-addr.arpa",
            "PTR",
            "NOERROR; 1.0.0.127.in-addr.arpa. 604800 IN PTR localhost."),
        new Case(
            "local",
            "x.localhost",
            "A",
            "NXDOMAIN; / localhost. 604800 IN SOA localhost. root.localhost. 1 0 0 0 604800"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void answers(Case c) throws SetupException {
    try (Rig rig = new Rig(c.config(), END)) {
      assertThat(text(rig.ask(c.name(), c.type()))).isEqualTo(c.answer());
    }
  }

  private static Query chaos(String name) {
    return Rig.query(name, "TXT")
        .withQuestion(new Question(Name.of(name), RecordType.TXT, RecordClass.CH));
  }

  @Test
  void chaosTellsOfTheServer() throws SetupException {
    try (Rig rig = new Rig("chaos golden-1 admin@example.net", END)) {
      assertThat(text((Reply) rig.answer(chaos("version.bind"))))
          .isEqualTo("NOERROR; version.bind. 0 CH TXT \"golden-1\"");
      assertThat(text((Reply) rig.answer(chaos("authors.bind"))))
          .isEqualTo("NOERROR; authors.bind. 0 CH TXT \"admin@example.net\"");
      assertThat(((Reply) rig.answer(chaos("hostname.bind"))).answer()).hasSize(1);
      assertThat(((Reply) rig.answer(chaos("other.bind"))).rcode()).isEqualTo(Rcode.REFUSED);
      assertThat(rig.ask("a.org", "A").answer()).hasSize(1);
    }
  }

  @Test
  void nsidIsToldToWhoAsks() throws SetupException {
    Edns asking =
        new Edns(1232, 0, false, List.of(new EdnsOption(EdnsOption.NSID, ImmutableBytes.EMPTY)));
    try (Rig rig = new Rig("nsid fairlead", END)) {
      Query query = Rig.query("a.org", "A", "10.0.0.1", QueryTransport.UDP, asking);
      assertThat(((Reply) rig.answer(query)).options())
          .containsExactly(
              new EdnsOption(EdnsOption.NSID, ImmutableBytes.ofHex("666169726c656164")));
      assertThat(rig.ask("a.org", "A").options()).isEmpty();
    }
  }

  @Test
  void headerSetsAndClears() throws SetupException {
    try (Rig rig =
        new Rig(
            "header {\n set aa\n clear ra\n query clear rd\n}",
            query -> {
              assertThat(query.recursionDesired()).isFalse();
              return END.handle(query);
            })) {
      Reply reply = rig.ask("a.org", "A");
      assertThat(reply.is(Header.AA)).isTrue();
      assertThat(reply.is(Header.RA)).isFalse();
    }
  }

  @Test
  void cancelGivesUp() throws SetupException {
    CountDownLatch interrupted = new CountDownLatch(1);
    Handler stuck =
        _ -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
          return Reply.of("x", Rcode.NOERROR);
        };
    try (Rig rig = new Rig("cancel 50ms", stuck)) {
      assertThat(rig.ask("a.org", "A").rcode()).isEqualTo(Rcode.SERVFAIL);
      assertThat(interrupted.getCount()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void settingsAreSet() throws SetupException {
    String config =
        "bufsize 1400\n"
            + "multisocket 3\n"
            + "bind 127.0.0.1 ::1\n"
            + "bind lo {\n"
            + " except ::1\n"
            + "}\n"
            + "root /tmp\n"
            + "debug\n"
            + "metadata\n"
            + "pprof\n"
            + "shed\n"
            + "on startup x\n"
            + "trace\n"
            + "timeouts {\n"
            + " read 4s\n"
            + " write 6\n"
            + " idle 1m\n"
            + " maxtcpqueries 7\n"
            + "}";
    try (Rig rig = new Rig(config, END)) {
      assertThat(rig.settings().udpLimit()).isEqualTo(1400);
      assertThat(rig.settings().sockets()).hasValue(3);
      assertThat(rig.settings().bind()).contains("127.0.0.1").doesNotContain("::1");
      assertThat(rig.settings().readTimeout()).isEqualTo(Duration.ofSeconds(4));
      assertThat(rig.settings().writeTimeout()).isEqualTo(Duration.ofSeconds(6));
      assertThat(rig.settings().idleTimeout()).isEqualTo(Duration.ofMinutes(1));
      assertThat(rig.settings().maxTcpQueries()).isEqualTo(7);
    }
  }

  record Fault(String config, String message) {
    @Override
    public String toString() {
      return config;
    }
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault("any thing", "wrong number of arguments"),
        new Fault("cancel never", "invalid duration"),
        new Fault("cancel 0s", "more than 0"),
        new Fault("bufsize 100", "not between 512 and 4096"),
        new Fault("multisocket 2000", "not between 1 and 1024"),
        new Fault("bind no-such-device", "neither an IP address nor a network interface"),
        new Fault("timeouts", "timeouts needs a block"),
        new Fault("timeouts {\n reed 3s\n}", "did you mean 'read'?"),
        new Fault("timeouts {\n read 1ms\n}", "between 1s and 24h"),
        new Fault("header", "header needs a block"),
        new Fault("header {\n set xx\n}", "'xx' is no flag"),
        new Fault("header {\n sett aa\n}", "did you mean 'set'?"),
        new Fault("tls cert.pem", "usage: tls CERT KEY [CA]"),
        new Fault("tls cert.pem key.pem", "cert.pem"),
        new Fault("tls a b {\n client_auth require\n}", "needs a CA"),
        new Fault("loop twice", "nothing or exit"),
        new Fault("root", "usage: root PATH"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void isRefused(Fault c) {
    assertThatThrownBy(() -> new Rig(c.config(), END))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining(c.message());
  }
}
