package io.fairlead.dns.file;

import static io.fairlead.dns.testing.TestReplies.a;
import static io.fairlead.dns.testing.TestReplies.found;
import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Rcode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FileTest {
  private static final String ZONE =
      """
      $TTL 300
      @        SOA ns1 host 7 3600 600 86400 60
      @        NS  ns1
      ns1      A   192.0.2.1
      www      A   192.0.2.2
      www      AAAA 2001:db8::2
      alias    CNAME www
      chain    CNAME alias
      out      CNAME db.example.net.
      ring-a   CNAME ring-b
      ring-b   CNAME ring-a
      dangling CNAME gone
      @        MX  10 www
      *.wild   A   192.0.2.9
      *.wild   TXT "w"
      x.wild   TXT "x"
      deep.ent.ent2 A 192.0.2.3
      sub      NS  ns.sub
      ns.sub   A   192.0.2.53
      old      DNAME new
      host.new A   192.0.2.7
      """;
  private static final String SOA =
      "/ example.org. 60 IN SOA ns1.example.org. host.example.org. 7 3600 600 86400 60";
  private static final String NS = "/ example.org. 300 IN NS ns1.example.org.";

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("db.example.org");
    Files.writeString(file, ZONE);
  }

  private static Handler outside() {
    return query ->
        query.name().toString().equals("db.example.net.")
            ? found(a("db.example.net", 120, "192.0.2.80"))
            : Reply.of("end", Rcode.REFUSED);
  }

  private Rig rig(String options) throws SetupException {
    return new Rig("file " + file + " example.org" + options, outside());
  }

  record Case(String name, String type, String answer) {
    @Override
    public String toString() {
      return name + " " + type;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("www.example.org", "A", "NOERROR; www.example.org. 300 IN A 192.0.2.2; " + NS),
        new Case(
            "WWW.Example.org", "AAAA", "NOERROR; WWW.Example.org. 300 IN AAAA 2001:db8::2; " + NS),
        new Case("www.example.org", "TXT", "NOERROR; " + SOA),
        new Case("nothing.example.org", "A", "NXDOMAIN; " + SOA),
        new Case("ent.ent2.example.org", "A", "NOERROR; " + SOA),
        new Case("ent2.example.org", "A", "NOERROR; " + SOA),
        new Case("x.ent2.example.org", "A", "NXDOMAIN; " + SOA),
        new Case(
            "example.org",
            "NS",
            "NOERROR; example.org. 300 IN NS ns1.example.org.; > ns1.example.org. 300 IN A"
                + " 192.0.2.1"),
        new Case(
            "example.org",
            "SOA",
            "NOERROR; example.org. 300 IN SOA ns1.example.org. host.example.org. 7 3600 600 86400"
                + " 60; "
                + NS),
        new Case(
            "example.org",
            "MX",
            "NOERROR; example.org. 300 IN MX 10 www.example.org.; "
                + NS
                + "; > www.example.org. 300 IN A 192.0.2.2; > www.example.org. 300 IN AAAA"
                + " 2001:db8::2"),
        new Case(
            "alias.example.org",
            "A",
            "NOERROR; alias.example.org. 300 IN CNAME www.example.org.; www.example.org. 300 IN A"
                + " 192.0.2.2; "
                + NS),
        new Case(
            "alias.example.org",
            "CNAME",
            "NOERROR; alias.example.org. 300 IN CNAME www.example.org.; " + NS),
        new Case(
            "chain.example.org",
            "TXT",
            "NOERROR; chain.example.org. 300 IN CNAME alias.example.org.; alias.example.org. 300 IN"
                + " CNAME www.example.org.; "
                + SOA),
        new Case(
            "out.example.org",
            "A",
            "NOERROR; out.example.org. 300 IN CNAME db.example.net.; db.example.net. 120 IN A"
                + " 192.0.2.80"),
        new Case(
            "dangling.example.org",
            "A",
            "NXDOMAIN; dangling.example.org. 300 IN CNAME gone.example.org.; " + SOA),
        new Case(
            "ring-a.example.org",
            "A",
            "NOERROR; ring-a.example.org. 300 IN CNAME ring-b.example.org.; ring-b.example.org. 300"
                + " IN CNAME ring-a.example.org."),
        new Case(
            "any.wild.example.org",
            "A",
            "NOERROR; any.wild.example.org. 300 IN A 192.0.2.9; " + NS),
        new Case(
            "a.b.wild.example.org",
            "A",
            "NOERROR; a.b.wild.example.org. 300 IN A 192.0.2.9; " + NS),
        new Case("any.wild.example.org", "MX", "NOERROR; " + SOA),
        new Case("x.wild.example.org", "A", "NOERROR; " + SOA),
        new Case("y.x.wild.example.org", "A", "NXDOMAIN; " + SOA),
        new Case(
            "host.sub.example.org",
            "A",
            "NOERROR; / sub.example.org. 300 IN NS ns.sub.example.org.; > ns.sub.example.org. 300"
                + " IN A 192.0.2.53"),
        new Case("sub.example.org", "DS", "NOERROR; " + SOA),
        new Case(
            "host.old.example.org",
            "A",
            "NOERROR; old.example.org. 300 IN DNAME new.example.org.; host.old.example.org. 300 IN"
                + " CNAME host.new.example.org.; host.new.example.org. 300 IN A 192.0.2.7; "
                + NS),
        new Case("example.org", "AXFR", "REFUSED"),
        new Case("elsewhere.net", "A", "REFUSED"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void answers(Case c) throws SetupException {
    try (Rig rig = rig("")) {
      assertThat(text(rig.ask(c.name(), c.type()))).isEqualTo(c.answer());
    }
  }

  @Test
  void referralsAreNotAuthoritative() throws SetupException {
    try (Rig rig = rig("")) {
      assertThat(rig.ask("host.sub.example.org", "A").is(Header.AA)).isFalse();
      assertThat(rig.ask("www.example.org", "A").is(Header.AA)).isTrue();
    }
  }

  @Test
  void unknownNamesFallThrough() throws SetupException {
    try (Rig rig = rig(" {\n fallthrough\n}")) {
      assertThat(rig.ask("nothing.example.org", "A").rcode()).isEqualTo(Rcode.REFUSED);
      assertThat(rig.ask("www.example.org", "TXT").rcode()).isZero();
    }
  }

  @Test
  void anotherSerialIsTakenOverAndABadFileIsNot() throws Exception {
    try (Rig rig = rig(" {\n reload 10s\n}").start()) {
      Files.writeString(file, ZONE.replace("192.0.2.2", "192.0.2.22").replace("host 7", "host 8"));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                rig.time().advance(Duration.ofSeconds(11));
                return text(rig.ask("www.example.org", "A")).contains("192.0.2.22");
              });
      Files.writeString(file, "nonsense");
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 1);
      rig.time().advance(Duration.ofSeconds(11));
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 1);
      assertThat(text(rig.ask("www.example.org", "A"))).contains("192.0.2.22");
    }
  }

  @Test
  void aBadFileIsRefused() throws IOException {
    Files.writeString(file, "www A 192.0.2.1\n");
    assertThatThrownBy(() -> rig(""))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("no SOA record");
  }
}
