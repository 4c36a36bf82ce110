package io.fairlead.dns.acl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestReplies;
import io.fairlead.dns.wire.Rcode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AclPluginTest {
  record Case(String title, String lines, String client, String name, String type, String outcome) {
    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Case> cases() {
    String blockA = "acl {\n block type A net 192.168.0.0/16\n}";
    String only = "acl {\n allow net 192.168.0.0/24 192.168.1.0/24\n block\n}";
    return Stream.of(
        new Case("blocked type and source", blockA, "192.168.3.4", "a.org", "A", "REFUSED"),
        new Case("another type", blockA, "192.168.3.4", "a.org", "AAAA", "answer"),
        new Case("another source", blockA, "10.0.0.1", "a.org", "A", "answer"),
        new Case(
            "filter",
            "acl {\n filter type A net 192.168.0.0/16\n}",
            "192.168.3.4",
            "a.org",
            "A",
            "empty"),
        new Case(
            "drop", "acl {\n drop net 192.168.0.0/16\n}", "192.168.3.4", "a.org", "A", "silence"),
        new Case("only some: inside", only, "192.168.1.9", "a.org", "A", "answer"),
        new Case("only some: outside", only, "192.168.2.9", "a.org", "A", "REFUSED"),
        new Case(
            "first rule wins",
            "acl {\n allow net 192.168.1.0/24\n block net 192.168.0.0/16\n}",
            "192.168.1.1",
            "a.org",
            "A",
            "answer"),
        new Case(
            "single address", "acl {\n block net 10.0.0.7\n}", "10.0.0.7", "a.org", "A", "REFUSED"),
        new Case("star", "acl {\n block type * net *\n}", "10.0.0.7", "a.org", "A", "REFUSED"),
        new Case("IPv6", "acl {\n block net fd00::/8\n}", "fd00::7", "a.org", "A", "REFUSED"),
        new Case("zone inside", "acl a.org {\n block\n}", "10.0.0.7", "x.a.org", "A", "REFUSED"),
        new Case("zone outside", "acl a.org {\n block\n}", "10.0.0.7", "b.org", "A", "answer"),
        new Case(
            "two lines",
            "acl a.org {\n block\n}\nacl b.org {\n filter\n}",
            "10.0.0.7",
            "b.org",
            "A",
            "empty"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void decides(Case c) throws SetupException {
    try (Rig rig =
        new Rig(c.lines(), _ -> TestReplies.found(TestReplies.a("a.org", 1, "192.0.2.1")))) {
      DnsAnswer answer =
          rig.answer(Rig.query(c.name(), c.type(), c.client(), QueryTransport.UDP, null));
      String outcome =
          answer instanceof Reply reply
              ? reply.rcode() == Rcode.REFUSED
                  ? "REFUSED"
                  : reply.answer().isEmpty() ? "empty" : "answer"
              : "silence";
      assertThat(outcome).isEqualTo(c.outcome());
    }
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new Rig("acl {\n blok net *\n}", Rig.refusing()))
        .hasMessageContaining("did you mean 'block'?");
    assertThatThrownBy(() -> new Rig("acl {\n block type NOPE\n}", Rig.refusing()))
        .hasMessageContaining("'NOPE' is no record type");
    assertThatThrownBy(() -> new Rig("acl {\n block net 1.2.3\n}", Rig.refusing()))
        .hasMessageContaining("neither an address nor a range");
    assertThatThrownBy(() -> new Rig("acl {\n block 10.0.0.0/8\n}", Rig.refusing()))
        .hasMessageContaining("expected 'type' or 'net'");
  }
}
