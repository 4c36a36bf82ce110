package io.fairlead.dns.corefile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.ServerKey;
import io.fairlead.dns.plugin.SetupException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a Corefile means, in the notation of [#show]: keys, then directives, blocks in braces.
class CorefileTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of("PORT", "1053", "TWO", "a b", "NESTED", "{$PORT}");

  /// Files that can be imported, in memory.
  private static final class Imports implements CorefileImports {
    private final Map<Path, String> files = new TreeMap<>();

    Imports with(String path, String text) {
      files.put(Path.of(path), text);
      return this;
    }

    @Override
    public String read(Path file) throws IOException {
      String text = files.get(file);
      if (text == null) {
        throw new IOException("no such file");
      }
      return text;
    }

    @Override
    public List<Path> matching(Path pattern) {
      String[] parts = pattern.toString().split("\\*", -1);
      return files.keySet().stream()
          .filter(f -> f.toString().startsWith(parts[0]) && f.toString().endsWith(parts[1]))
          .toList();
    }
  }

  private static final Imports FILES =
      new Imports()
          .with("/etc/coredns/custom/b.server", "b.org {\n whoami\n}")
          .with("/etc/coredns/custom/a.server", "a.org {\n whoami\n}")
          .with("/etc/coredns/self", "import self")
          .with("/etc/coredns/lines", "errors\nimport more/inner")
          .with("/etc/coredns/more/inner", "import deepest")
          .with("/etc/coredns/more/deepest", "log");

  private static Corefile parse(String text) throws SetupException {
    return Corefile.parse(Path.of("/etc/coredns/Corefile"), text, 53, FILES, ENVIRONMENT::get);
  }

  private static String show(Corefile corefile) {
    return corefile.blocks().stream()
        .map(
            block ->
                block.keys().stream().map(CorefileTest::show).collect(Collectors.joining(" "))
                    + " {"
                    + show(block.directives())
                    + "}")
        .collect(Collectors.joining(" "));
  }

  private static String show(ServerKey key) {
    String port = key.port() == 53 ? "" : ":" + key.port();
    return (key.zone().isRoot() ? "." : key.zone().toString().replaceAll("\\.$", "")) + port;
  }

  private static String show(List<Directive> directives) {
    return directives.stream()
        .map(
            d ->
                Stream.concat(Stream.of(d.name()), d.arguments().stream())
                        .collect(Collectors.joining(" "))
                    + (d.block().isEmpty() ? "" : "{" + show(d.block()) + "}"))
        .collect(Collectors.joining("; "));
  }

  record Case(String name, String text, String meaning) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("empty file", "", ""),
        new Case("only comments", "# a\n  # b", ""),
        new Case("one block", ".:53 {\n errors\n}", ". {errors}"),
        new Case(
            "arguments", ". {\n forward . 1.1.1.1 9.9.9.9\n}", ". {forward . 1.1.1.1 9.9.9.9}"),
        new Case("nested block", ". {\n health {\n lameduck 5s\n }\n}", ". {health{lameduck 5s}}"),
        new Case("block on one line", ". { health { lameduck 5s } }", ". {health{lameduck 5s}}"),
        new Case(
            "brace on the next line",
            ".\n{\n cache\n {\n prefetch 2\n}\n}",
            ". {cache{prefetch 2}}"),
        new Case("two blocks", "a {\n log\n}\nb {\n log\n}", "a {log} b {log}"),
        new Case("block without braces", ".:53\nerrors\nlog", ". {errors; log}"),
        new Case("keys by blanks", "a b c {\n}", "a b c {}"),
        new Case("keys by commas", "a, b,c {\n}", "a b c {}"),
        new Case("comma continues on the next line", "a,\nb {\n}", "a b {}"),
        new Case("quotes hold blanks", ". {\n x \"a b\" c\n}", ". {x a b c}"),
        new Case("escaped quote", ". {\n x \"a\\\"b\\n\"\n}", ". {x a\"b\\n}"),
        new Case("quoted brace is text", ". {\n x \"{\" \"}\"\n}", ". {x { }}"),
        new Case("quotes over lines keep the line", ". {\n x \"a\nb\" c\n y\n}", ". {x a\nb c; y}"),
        new Case("empty word", ". {\n x \"\" y\n}", ". {x  y}"),
        new Case(
            "comment inside a word", ". {\n log foo#bar baz\n errors\n}", ". {log foo; errors}"),
        new Case("hash in quotes", ". {\n log \"a#b\"\n}", ". {log a#b}"),
        new Case("carriage returns", ". {\r\n errors\r\n}\r\n", ". {errors}"),
        new Case("byte order mark", "\ufeff.:53 {\n errors\n}", ". {errors}"),
        new Case("environment", ".:{$PORT} {\n x {%PORT%} {$NONE}y\n}", ".:1053 {x 1053 y}"),
        new Case("a value is one word", ". {\n x {$TWO}\n}", ". {x a b}"),
        new Case("a value is not looked at again", ". {\n x {$NESTED}\n}", ". {x {$PORT}}"),
        new Case(
            "snippet", "(s) {\n errors\n log\n}\n. {\n import s\n any\n}", ". {errors; log; any}"),
        new Case(
            "snippet inside a plugin",
            "(s) {\n max_fails 3\n}\n. {\n forward . 1.1.1.1 {\n import s\n policy random\n }\n}",
            ". {forward . 1.1.1.1{max_fails 3; policy random}}"),
        new Case(
            "snippet in a snippet",
            "(a) {\n log\n}\n(b) {\n import a\n}\n. {\n import b\n}",
            ". {log}"),
        new Case("unused snippet", "(s) {\n log {\n class all\n }\n}", ""),
        new Case(
            "pattern imports blocks in order of name",
            "import custom/*.server\n. {\n log\n}",
            "a.org {whoami} b.org {whoami} . {log}"),
        new Case("pattern without files", "import custom/*.none\n. {\n log\n}", ". {log}"),
        new Case(
            "files relative to the file", ". {\n import lines\n any\n}", ". {errors; log; any}"),
        new Case(
            "unquoted template",
            ". {\n template IN A {\n answer \"{{ .Name }} 60 IN A 1.2.3.4\"\n }\n}",
            ". {template IN A{answer {{ .Name }} 60 IN A 1.2.3.4}}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void means(Case c) throws SetupException {
    assertThat(show(parse(c.text()))).isEqualTo(c.meaning());
  }

  static Stream<Case> faults() {
    return Stream.of(
        new Case("open block", ". {\n errors\n", "Corefile:1: Unexpected end"),
        new Case("open quote", ". {\n x \"a\n}\n", "Corefile:2: The quote"),
        new Case("closing brace first", "}\n", "Corefile:1: Unexpected '}'"),
        new Case("block without key", "\n{\n}", "Corefile:2: Expected the key of a server block"),
        new Case("brace without name", ". {\n {\n }\n}", "Corefile:2: Unexp"),
        new Case("trailing comma", "a, {\n}", "Corefile:1: Expected another"),
        new Case("comma at the end", "a,", "Corefile:1: Expected another"),
        new Case("port too large", "\n.:99999 {\n}", "Corefile:2: '.:99999'"),
        new Case("unknown transport", "grpc://. {\n}", "there are dns://, tls://, https://"),
        new Case("bad range", "10.0.0.0/40 {\n}", "neither a zone nor a range"),
        new Case("long label", "a".repeat(64) + " {\n}", "longer than 63"),
        new Case("empty label", "a..b {\n}", "a label is empty"),
        new Case("snippet twice", "(s) {\n}\n(s) {\n}", "Corefile:3: The snippet"),
        new Case("unknown import", ". {\n import nothing\n}", "Corefile:2: Cannot"),
        new Case("import of itself", "import self", "does a file or a snippet import itself"),
        new Case("snippet of itself", "(s) {\n import s\n}\n. {\n import s\n}", "import itself"),
        new Case("import of two", ". {\n import a b\n}", "exactly one argument"),
        new Case("import of none", ". {\n import\n}", "needs one argument"),
        new Case("two stars", "import */*", "one *"),
        new Case("nested too deep", ". " + "{ a ".repeat(40), "deeper than 16"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void isRefused(Case c) {
    assertThatThrownBy(() -> parse(c.text()))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining(c.meaning());
  }

  @Test
  void directivesKnowTheirPlace() throws SetupException {
    Corefile corefile =
        parse("(s) {\n log\n}\n. {\n errors\n import s\n cache {\n  prefetch 1\n }\n}");
    List<Directive> directives = corefile.blocks().getFirst().directives();
    assertThat(directives).extracting(Directive::line).containsExactly(5, 2, 7);
    assertThat(directives.get(2).block().getFirst().line()).isEqualTo(8);
    assertThat(directives).extracting(Directive::file).containsOnly("/etc/coredns/Corefile");
  }

  @Test
  void fingerprintSeesWordsAndNotLayout() throws SetupException {
    String fingerprint = parse(". {\n errors\n}").fingerprint();
    assertThat(parse("# why\n.   {\n\terrors # all\n\n}\n").fingerprint()).isEqualTo(fingerprint);
    assertThat(parse(". {\n log\n}").fingerprint()).isNotEqualTo(fingerprint);
    assertThat(parse(". {\n forward a\n b\n}").fingerprint())
        .isNotEqualTo(parse(". {\n forward a b\n}").fingerprint());
  }
}
