package io.fairlead.dns.rewrite;

import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestReplies;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.ImmutableBytes;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rules against a server that answers every question with one address, and `t.*` names with an
/// alias to themselves without the `t.`.
class RewritePluginTest {
  private static final List<Query> asked = new ArrayList<>();

  private static DnsAnswer end(Query query) {
    asked.add(query);
    String name = query.name().toString();
    ResourceRecord address = TestReplies.a("x", 100, "192.0.2.1").withOwner(query.name());
    if (!name.startsWith("t.")) {
      return TestReplies.found(address);
    }
    return TestReplies.found(
        ResourceRecord.in(query.name(), 100, RecordData.cname(query.name().parent())),
        address.withOwner(query.name().parent()));
  }

  record Case(String title, String rules, String asked, String seen, String answer) {
    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Case> cases() {
    String one = " 100 IN A 192.0.2.1";
    return Stream.of(
        new Case(
            "exact", "rewrite name a.org b.net", "a.org A", "b.net. IN A", "NOERROR; a.org." + one),
        new Case(
            "exact keeps the asker's spelling",
            "rewrite name exact a.org b.net",
            "A.oRg A",
            "b.net. IN A",
            "NOERROR; A.oRg." + one),
        new Case(
            "exact does not fit below",
            "rewrite name a.org b.net",
            "x.a.org A",
            "x.a.org. IN A",
            "NOERROR; x.a.org." + one),
        new Case(
            "prefix",
            "rewrite name prefix foo. bar.",
            "foo.a.org A",
            "bar.a.org. IN A",
            "NOERROR; bar.a.org." + one),
        new Case(
            "prefix with auto",
            "rewrite name prefix foo. bar. answer auto",
            "foo.a.org A",
            "bar.a.org. IN A",
            "NOERROR; foo.a.org." + one),
        new Case(
            "suffix",
            "rewrite name suffix .a.org .b.net",
            "x.a.org A",
            "x.b.net. IN A",
            "NOERROR; x.b.net." + one),
        new Case(
            "suffix with auto",
            "rewrite name suffix .a.org .b.net answer auto",
            "x.a.org A",
            "x.b.net. IN A",
            "NOERROR; x.a.org." + one),
        new Case(
            "substring",
            "rewrite name substring us-west consul",
            "ftp.us-west.org A",
            "ftp.consul.org. IN A",
            "NOERROR; ftp.consul.org." + one),
        new Case(
            "regex",
            "rewrite name regex (.*)-(us-west-1)\\.example\\.org {1}.service.{2}.consul",
            "ftp-us-west-1.example.org A",
            "ftp.service.us-west-1.consul. IN A",
            "NOERROR; ftp.service.us-west-1.consul." + one),
        new Case(
            "regex with answer",
            "rewrite stop {\n"
                + " name regex (.*)-(us-west-1)\\.rocks {1}.service.{2}.consul\n"
                + " answer name (.*)\\.service\\.(us-west-1)\\.consul {1}-{2}.rocks\n"
                + "}",
            "ftp-us-west-1.rocks A",
            "ftp.service.us-west-1.consul. IN A",
            "NOERROR; ftp-us-west-1.rocks." + one),
        new Case(
            "regex with answer on one line",
            "rewrite name regex (.*)\\.in {1}.out answer name (.*)\\.out {1}.in",
            "x.in A",
            "x.out. IN A",
            "NOERROR; x.in." + one),
        new Case(
            "answer value",
            "rewrite name regex (.*)\\.in {1}.out answer name (.*)\\.out {1}.in answer value"
                + " (.*)\\.out {1}.in",
            "t.x.in A",
            "t.x.out. IN A",
            "NOERROR; t.x.in. 100 IN CNAME x.in.; x.in." + one),
        new Case(
            "type",
            "rewrite type ANY HINFO",
            "a.org ANY",
            "a.org. IN HINFO",
            "NOERROR; a.org." + one),
        new Case("class", "rewrite class IN CH", "a.org A", "a.org. CH A", "NOERROR; a.org." + one),
        new Case(
            "ttl",
            "rewrite ttl exact a.org 15",
            "a.org A",
            "a.org. IN A",
            "NOERROR; a.org. 15 IN A 192.0.2.1"),
        new Case(
            "ttl in a block",
            "rewrite continue {\n ttl regex (.*)\\.org 15\n}",
            "a.org A",
            "a.org. IN A",
            "NOERROR; a.org. 15 IN A 192.0.2.1"),
        new Case(
            "ttl at most",
            "rewrite ttl suffix org -30",
            "a.org A",
            "a.org. IN A",
            "NOERROR; a.org. 30 IN A 192.0.2.1"),
        new Case(
            "ttl at least",
            "rewrite ttl suffix org 200-",
            "a.org A",
            "a.org. IN A",
            "NOERROR; a.org. 200 IN A 192.0.2.1"),
        new Case(
            "ttl in a range",
            "rewrite ttl suffix org 50-150",
            "a.org A",
            "a.org. IN A",
            "NOERROR; a.org." + one),
        new Case(
            "rcode",
            "rewrite rcode suffix org NOERROR NXDOMAIN",
            "a.org A",
            "a.org. IN A",
            "NXDOMAIN; a.org." + one),
        new Case(
            "cname",
            "rewrite cname exact x.in y.out",
            "t.x.in A",
            "y.out. IN A",
            "NOERROR; t.x.in. 100 IN CNAME y.out.; y.out." + one),
        new Case(
            "first rule stops",
            "rewrite name a.org b.net\nrewrite name b.net c.net",
            "a.org A",
            "b.net. IN A",
            "NOERROR; a.org." + one),
        new Case(
            "continue goes on",
            "rewrite continue name a.org b.net\nrewrite name b.net c.net",
            "a.org A",
            "c.net. IN A",
            "NOERROR; a.org." + one),
        new Case("no legal name", "rewrite name prefix foo ..", "foo.org A", "", "SERVFAIL"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void rewrites(Case c) throws SetupException {
    asked.clear();
    try (Rig rig = new Rig(c.rules(), RewritePluginTest::end)) {
      String[] words = c.asked().split(" ");
      Reply reply = rig.ask(words[0], words[1]);
      String seen = asked.isEmpty() ? "" : asked.getLast().question().toString();
      assertThat(seen).isEqualTo(c.seen());
      assertThat(text(reply)).isEqualTo(c.answer());
    }
  }

  record Option(String rule, String before, String after) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<Option> options() {
    return Stream.of(
        new Option("local set 0xffee 0x61626364", "", "65518:61626364"),
        new Option("local set 0xffee abcd", "65518:00", "65518:61626364"),
        new Option("local append 0xffee abcd", "65518:00", "65518:00"),
        new Option("local replace 0xffee abcd", "", ""),
        new Option("local set 0xffee {client_ip}", "", "65518:0af40109"),
        new Option("local set 0xffee {qtype}", "", "65518:0001"),
        new Option("local set 65518 {protocol} revert", "", "65518:756470"),
        new Option("unset local 0xffee", "65518:00", ""),
        new Option("nsid set", "", "3:"),
        new Option("subnet set 24 56", "", "8:000118000af401"),
        new Option("subnet set 20 56", "", "8:000114000af400"),
        new Option("subnet unset", "8:00", ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("options")
  void changesOptions(Option c) throws SetupException {
    asked.clear();
    Edns edns =
        c.before().isEmpty()
            ? null
            : new Edns(
                1232,
                0,
                false,
                List.of(
                    new EdnsOption(
                        Integer.parseInt(c.before().split(":")[0]),
                        ImmutableBytes.ofHex(c.before().split(":")[1]))));
    try (Rig rig = new Rig("rewrite edns0 " + c.rule(), RewritePluginTest::end)) {
      rig.answer(Rig.query("a.org", "A", "10.244.1.9", QueryTransport.UDP, edns));
      Edns seen = asked.getLast().edns();
      String shown =
          seen == null
              ? ""
              : Objects.requireNonNull(seen).options().stream()
                  .map(option -> option.code() + ":" + option.data())
                  .collect(Collectors.joining(" "));
      assertThat(shown).isEqualTo(c.after());
    }
  }

  record Fault(String rule, String message) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault("rewrite", "rewrite needs a rule"),
        new Fault("rewrite nmae a b", "did you mean 'name'?"),
        new Fault("rewrite name a", "usage: [MATCH] FROM TO"),
        new Fault("rewrite name regex ( b", "is no regular expression"),
        new Fault("rewrite name regex a b answer auto", "does not work with regex"),
        new Fault("rewrite name a b answer nothing", "answer is auto, name FROM TO or value"),
        new Fault("rewrite type A NOPE", "'NOPE' is no type"),
        new Fault("rewrite class IN NOPE", "'NOPE' is no class"),
        new Fault("rewrite ttl a.org soon", "'soon' is no time"),
        new Fault("rewrite ttl a.org 30-20", "no range of seconds"),
        new Fault("rewrite rcode a.org NOERROR NOPE", "no response code"),
        new Fault("rewrite edns0 local", "needs local, nsid or subnet"),
        new Fault("rewrite edns0 local set 0x1ffff a", "more than 16 bits"),
        new Fault("rewrite edns0 local set 1 {nothing}", "no variable {nothing}"),
        new Fault("rewrite edns0 subnet set 33 56", "not between 0 and 32"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void isRefused(Fault c) {
    assertThatThrownBy(() -> new Rig(c.rule(), RewritePluginTest::end))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining(c.message());
  }
}
