package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Documents that tell the truth pass, others fail and say where.
class DocumentRunnerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  private DocumentRunner perform(String markdown, Duration patience, BashSession shell) {
    return new DocumentRunner(MarkdownDocument.parse("page.md", markdown), shell, patience);
  }

  private BashSession shell(Duration limit) throws IOException {
    return new BashSession(List.of(), directory, directory, Map.of("PLACE", "here"), limit);
  }

  private record Page(String name, String markdown, String said) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Page> truths() {
    return Stream.of(
        new Page("output", "```console\n$ echo a; echo b\na\nb\n```\n", ""),
        new Page("no output", "```console\n$ true\n```\n", ""),
        new Page("standard error", "```console\n$ echo a >&2\na\n```\n", ""),
        new Page("an open line", "```console\n$ printf a\na\n$ printf b\nb\n```\n", ""),
        new Page(
            "variables stay",
            "```console\n$ x=3\n```\nText.\n```console\n$ echo $x $PLACE\n3 here\n```\n",
            ""),
        new Page("directories stay", "```console\n$ cd /\n$ pwd\n/\n```\n", ""),
        new Page("several lines", "```console\n$ cat <<END\n> a $((1 + 1))\n> END\na 2\n```\n", ""),
        new Page("empty input", "```console\n$ cat\n```\n", ""),
        new Page(
            "background programs", "```console\n$ sleep 60 &\n$ echo a\na\n$ kill $!\n```\n", ""),
        new Page("a failure that is told", "<!-- fails -->\n```console\n$ false\n```\n", ""),
        new Page(
            "looking again",
            """
            ```console
            $ (while [ ! -e asked ]; do :; done; echo yes > answer) &
            $ cat answer 2>/dev/null || { touch asked; echo none; }
            yes
            ```
            """,
            ""));
  }

  @ParameterizedTest
  @MethodSource("truths")
  void passes(Page page) throws IOException {
    try (BashSession shell = shell(PATIENCE)) {
      assertThatCode(() -> perform(page.markdown(), PATIENCE, shell).play())
          .doesNotThrowAnyException();
    }
  }

  static Stream<Page> lies() {
    return Stream.of(
        new Page(
            "other output",
            "\n```console\n$ echo a\na\n$ echo b\nc\n```\n",
            """
            page.md:5: $ echo b
            prints something else (- written, + printed):
              - c
              + b
            """),
        new Page(
            "a failure that is not told",
            "```console\n$ false\n```\n",
            """
            page.md:2: $ false
            prints something else (- written, + printed) and ends with status 1:
            """),
        new Page(
            "looking does not help",
            "```console\n$ for i in 1; do echo a; done\nb\n```\n",
            """
            page.md:2: $ for i in 1; do echo a; done
            prints something else (- written, + printed):
              - b
              + a
            """),
        new Page(
            "the shell is left",
            "```console\n$ exit 0\n```\n",
            "page.md:2: $ exit 0\nthe shell ended at: exit 0"));
  }

  @ParameterizedTest
  @MethodSource("lies")
  void fails(Page page) throws IOException {
    try (BashSession shell = shell(PATIENCE)) {
      assertThatThrownBy(() -> perform(page.markdown(), Duration.ofMillis(300), shell).play())
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith(page.said());
    }
  }

  @Test
  void aCommandThatNeverEndsIsNamed() throws IOException {
    try (BashSession shell = shell(Duration.ofMillis(300))) {
      String page = "```console\n$ echo a; sleep 300\n```\n";
      assertThatThrownBy(() -> perform(page, PATIENCE, shell).play())
          .isInstanceOf(AssertionError.class)
          .hasMessageStartingWith("page.md:2: $ echo a; sleep 300\nstill running after");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubectl get pods",
        "kubectl -n kube-system get pods",
        "sudo nft list table ip x",
        "for i in 1 2; do curl -s a; done | sort",
        "./fairlead dns web",
        "fairlead mode"
      })
  void onlyLooks(String command) {
    assertThat(ReadOnlyCommands.only(command)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubectl apply -f a.yaml",
        "for i in 1 2; do kubectl delete pod a$i; done",
        "sudo ./fairlead up",
        "fairlead mode iptables",
        "echo a"
      })
  void mayChangeSomething(String command) {
    assertThat(ReadOnlyCommands.only(command)).isFalse();
  }
}
