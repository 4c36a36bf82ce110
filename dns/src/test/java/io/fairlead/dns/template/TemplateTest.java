package io.fairlead.dns.template;

import static io.fairlead.dns.testing.TestReplies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestReplies;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TemplateTest {
  private static final String REVERSIBLE =
      """
      template IN A example {
        match (^|[.])ip-(?P<a>[0-9]*)-(?P<b>[0-9]*)-(?P<c>[0-9]*)-(?P<d>[0-9]*)[.]example[.]$
        answer "{{ .Name }} 60 IN A {{ .Group.a }}.{{ .Group.b }}.{{ .Group.c }}.{{ .Group.d }}"
        fallthrough
      }
      template IN PTR in-addr.arpa {
        match ^(?P<d>[0-9]*)[.](?P<c>[0-9]*)[.](?P<b>[0-9]*)[.](?P<a>[0-9]*)[.]in-addr[.]arpa[.]$
        answer "{{ .Name }} 60 IN PTR ip-{{ .Group.a }}-{{ .Group.b }}-{{ .Group.c }}-{{ .Group.d }}.example."
      }
      template IN A hex {
        match "^ip0a(?P<b>[a-f0-9]{2})(?P<c>[a-f0-9]{2})(?P<d>[a-f0-9]{2})[.]hex[.]$"
        answer "{{ .Name }} 60 IN A 10.{{ parseInt .Group.b 16 8 }}.{{ parseInt .Group.c 16 8 }}.{{ parseInt .Group.d 16 8 }}"
      }
      template ANY ANY invalid {
        rcode NXDOMAIN
        authority "invalid. 60 {{ .Class }} SOA ns.invalid. hostmaster.invalid. (1 60 60 60 60)"
        ederror 21 "Blocked according to RFC2606"
      }
      template IN ANY foogle.com {
        match "^foogle\\.com\\.$"
        answer "foogle.com 60 IN CNAME google.com"
      }
      template IN MX mx {
        answer "{{ .Zone }} 60 IN MX 10 {{ index .Match 0 }}"
        additional "{{ .Name }} 60 IN TXT \\"{{ .Remote }} {{ .Type }} {{ len .Match }}\\""
      }
      template IN TXT bad {
        answer "{{ .Name }} 60 IN A not-an-address"
      }
      """;

  record Case(String name, String type, String answer) {
    @Override
    public String toString() {
      return name + " " + type;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("ip-10-1-2-3.example", "A", "NOERROR; ip-10-1-2-3.example. 60 IN A 10.1.2.3"),
        new Case(
            "www.IP-10-1-2-3.example", "A", "NOERROR; www.IP-10-1-2-3.example. 60 IN A 10.1.2.3"),
        new Case("other.example", "A", "REFUSED"),
        new Case("ip-10-1-2-3.example", "AAAA", "REFUSED"),
        new Case(
            "3.2.1.10.in-addr.arpa",
            "PTR",
            "NOERROR; 3.2.1.10.in-addr.arpa. 60 IN PTR ip-10-1-2-3.example."),
        new Case("x.in-addr.arpa", "PTR", "SERVFAIL"),
        new Case("ip0a7b7c7d.hex", "A", "NOERROR; ip0a7b7c7d.hex. 60 IN A 10.123.124.125"),
        new Case(
            "a.invalid",
            "A",
            "NXDOMAIN; / invalid. 60 IN SOA ns.invalid. hostmaster.invalid. 1 60 60 60 60"),
        new Case(
            "foogle.com",
            "A",
            "NOERROR; foogle.com. 60 IN CNAME google.com.; google.com. 9 IN A 192.0.2.7"),
        new Case("foogle.com", "CNAME", "NOERROR; foogle.com. 60 IN CNAME google.com."),
        new Case(
            "q.mx", "MX", "NOERROR; mx. 60 IN MX 10 q.mx.; > q.mx. 60 IN TXT \"10.244.1.9 MX 1\""),
        new Case("q.bad", "TXT", "SERVFAIL"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void answers(Case c) throws SetupException {
    try (Rig rig =
        new Rig(
            REVERSIBLE,
            query ->
                query.name().toString().equals("google.com.")
                    ? TestReplies.found(TestReplies.a("google.com", 9, "192.0.2.7"))
                    : Rig.refusing().handle(query))) {
      assertThat(text(rig.ask(c.name(), c.type()))).isEqualTo(c.answer());
    }
  }

  @Test
  void extendedErrorsAreSent() throws SetupException {
    try (Rig rig = new Rig(REVERSIBLE, Rig.refusing())) {
      Reply reply = rig.ask("a.invalid", "A");
      assertThat(reply.options()).hasSize(1);
      assertThat(reply.options().getFirst().data().toString()).startsWith("0015");
    }
  }

  record Filled(String template, String result) {
    @Override
    public String toString() {
      return template;
    }
  }

  static Stream<Filled> filled() {
    return Stream.of(
        new Filled("plain", "plain"),
        new Filled("{{.Name}}-{{ .Name }}", "n-n"),
        new Filled("{{ index .Match 1 }}", "one"),
        new Filled("{{ .Match | len }}", "2"),
        new Filled("{{ if .Yes }}a{{ else }}b{{ end }}", "a"),
        new Filled("{{ if .No }}a{{ else if .Yes }}c{{ else }}b{{ end }}", "c"),
        new Filled("{{ if eq .Name \"n\" }}same{{ end }}", "same"),
        new Filled("{{ if and .Yes (not .No) }}both{{ end }}", "both"),
        new Filled("{{ range .Match }}<{{ . }}>{{ end }}", "<zero><one>"),
        new Filled("{{ range .None }}x{{ else }}none{{ end }}", "none"),
        new Filled("a {{- .Name -}} b", "anb"),
        new Filled("{{ print \"x\" 1 .Name }}", "x1n"),
        new Filled("{{ \"a\\\"b\" }}{{ `c` }}", "a\"bc"),
        new Filled("{{/* nothing */}}x", "x"),
        new Filled("{{ index .Group \"missing\" }}x", "x"),
        new Filled("{{ $x := .Name }}{{ $x }}{{ $x }}", "nn"),
        new Filled("{{ $x := 1 }}{{ if .Yes }}{{ $x = 2 }}{{ end }}{{ $x }}", "2"),
        new Filled("{{ $x := 1 }}{{ if .Yes }}{{ $x := 2 }}{{ $x }}{{ end }}{{ $x }}", "21"),
        new Filled("{{ $g := .Group }}{{ $g.a }}", "b"),
        new Filled("{{ range .Match }}{{ $.Name }}{{ end }}", "nn"),
        new Filled("{{ range $each := .Match }}{{ $each }},{{ end }}", "zero,one,"),
        new Filled(
            "{{ range $i, $each := .Match }}{{ $i }}={{ $each }} {{ end }}", "0=zero 1=one "),
        new Filled("{{ range $k, $v := .Group }}{{ $k }}{{ $v }}{{ end }}", "ab"),
        new Filled("{{ if $x := .Name }}{{ $x }}{{ end }}", "n"),
        new Filled("{{ $nope }}", "!undefined variable $nope"),
        new Filled("{{ $nope = 1 }}", "!undefined variable $nope"),
        new Filled("{{ if .Yes }}{{ $x := 1 }}{{ end }}{{ $x }}", "!undefined variable $x"),
        new Filled("{{ \"ff\" | parseInt }}", "!parseInt takes"),
        new Filled("{{ parseInt \"1ff\" 16 8 }}", "!more than 8 bits"),
        new Filled("{{ .Nope }}", "!no field .Nope"),
        new Filled("{{ index .Match 7 }}", "!no element 7"),
        new Filled("{{ range .Name }}{{ end }}", "!can't iterate"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("filled")
  void fillsIn(Filled c) throws TemplateException {
    Map<String, Object> data =
        Map.of(
            "Name",
            "n",
            "Match",
            List.of("zero", "one"),
            "None",
            List.of(),
            "Group",
            Map.of("a", "b"),
            "Yes",
            true,
            "No",
            false);
    TextTemplate template = TextTemplate.of(c.template());
    if (c.result().startsWith("!")) {
      assertThatThrownBy(() -> template.fill(data))
          .isInstanceOf(TemplateException.class)
          .hasMessageContaining(c.result().substring(1));
    } else {
      assertThat(template.fill(data)).isEqualTo(c.result());
    }
  }

  record Fault(String block, String message) {
    @Override
    public String toString() {
      return block;
    }
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault("template IN", "usage: template CLASS TYPE"),
        new Fault("template IN NOPE", "'NOPE' is no type"),
        new Fault("template XX A", "'XX' is no class"),
        new Fault("template IN A {\n mach x\n}", "did you mean 'match'?"),
        new Fault("template IN A {\n match (\n}", "no regular expression"),
        new Fault("template IN A {\n rcode NOPE\n}", "no response code"),
        new Fault("template IN A {\n answer \"{{ .Name\"\n}", "{{ is never closed"),
        new Fault("template IN A {\n answer \"{{ frob .Name }}\"\n}", "\"frob\" not defined"),
        new Fault("template IN A {\n answer \"{{ if .Name }}x\"\n}", "{{end}} is missing"),
        new Fault("template IN A {\n answer \"{{ end }}\"\n}", "unexpected"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void isRefused(Fault c) {
    assertThatThrownBy(() -> new Rig(c.block(), Rig.refusing()))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining(c.message());
  }

  @Test
  void damageIsNoticed() {
    String good =
        "{{ if .A }}{{ index .B 1 | print \"x\" }}{{ else }}{{ range .C }}y{{ end }}{{ end }}";
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(good);
      text.setCharAt(random.nextInt(text.length()), "{}(). |\"`$-".charAt(random.nextInt(11)));
      text.deleteCharAt(random.nextInt(text.length()));
      try {
        TextTemplate.of(text.toString())
            .fill(Map.of("A", "", "B", List.of("p", "q"), "C", List.of("z")));
      } catch (TemplateException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }
}
