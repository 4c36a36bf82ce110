package io.fairlead.dns.builtin;

import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestReplies;
import io.fairlead.dns.wire.Rcode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AutopathPluginTest {
  @TempDir private Path directory;

  private static DnsAnswer end(Query query) {
    String name = query.name().toString();
    return switch (name) {
      case "db.example.net." ->
          query.type() == 1
              ? TestReplies.found(TestReplies.a("db.example.net", 120, "192.0.2.80"))
              : TestReplies.denied(Rcode.NOERROR, TestReplies.soa("example.net", 300, 60));
      case "web.svc.cluster.local." ->
          TestReplies.found(TestReplies.a("web.svc.cluster.local", 30, "10.96.0.1"));
      case "first.harbor.svc.cluster.local." ->
          TestReplies.found(TestReplies.a("first.harbor.svc.cluster.local", 30, "10.96.0.2"));
      default -> TestReplies.denied(Rcode.NXDOMAIN, TestReplies.soa("cluster.local", 30, 30));
    };
  }

  record Case(String name, String type, String answer) {
    @Override
    public String toString() {
      return name + " " + type;
    }
  }

  static Stream<Case> cases() {
    String suffix = ".harbor.svc.cluster.local";
    return Stream.of(
        new Case(
            "db.example.net" + suffix,
            "A",
            "NOERROR; db.example.net"
                + suffix
                + ". 120 IN CNAME db.example.net.; db.example.net. 120 IN A 192.0.2.80"),
        new Case(
            "db.example.net" + suffix,
            "TXT",
            "NOERROR; / example.net. 300 IN SOA ns.example.net. host.example.net. 1 7200 1800 86400"
                + " 60"),
        new Case(
            "web" + suffix,
            "A",
            "NOERROR; web"
                + suffix
                + ". 30 IN CNAME web.svc.cluster.local.; web.svc.cluster.local. 30 IN A 10.96.0.1"),
        new Case("first" + suffix, "A", "NOERROR; first" + suffix + ". 30 IN A 10.96.0.2"),
        new Case(
            "nope.example.net" + suffix,
            "A",
            "NXDOMAIN; / cluster.local. 30 IN SOA ns.cluster.local. host.cluster.local. 1 7200 1800"
                + " 86400 30"),
        new Case(
            "db.example.net.svc.cluster.local",
            "A",
            "NXDOMAIN; / cluster.local. 30 IN SOA ns.cluster.local. host.cluster.local. 1 7200 1800"
                + " 86400 30"),
        new Case("db.example.net", "A", "NOERROR; db.example.net. 120 IN A 192.0.2.80"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void walks(Case c) throws Exception {
    Path file = directory.resolve("resolv.conf");
    Files.writeString(
        file,
        "nameserver 10.96.0.10\nsearch harbor.svc.cluster.local svc.cluster.local cluster.local\n");
    try (Rig rig = new Rig("autopath " + file, AutopathPluginTest::end).start()) {
      assertThat(text(rig.ask(c.name(), c.type()))).isEqualTo(c.answer());
    }
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new Rig("autopath @kubernetes", Rig.refusing()))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("no plugin kubernetes in this block");
    assertThatThrownBy(() -> new Rig("autopath /no/such/file", Rig.refusing()))
        .hasMessageContaining("cannot read /no/such/file");
    assertThatThrownBy(() -> new Rig("autopath", Rig.refusing())).hasMessageContaining("usage");
  }
}
