package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.documents.FencedBlock.Mark;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What counts as the same text, and what does not.
class OutputComparisonTest {
  private static final Set<String> VARYING = Set.of("10.244.0.5", "10.244.0.6", "30871", "SEP-A");

  private record Row(String name, Set<Mark> marks, String written, String printed, boolean same) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row same(String name, String written, String printed, Mark... marks) {
    return new Row(name, Set.of(marks), written, printed, true);
  }

  private static Row other(String name, String written, String printed, Mark... marks) {
    return new Row(name, Set.of(marks), written, printed, false);
  }

  static Stream<Row> rows() {
    return Stream.of(
        same("equal", "a b", "a b"),
        same("runs of blanks are one", "a   b", "a b  "),
        same("blank lines do not count", "a\n\nb", "a\nb\n"),
        other("another word", "a b", "a c"),
        other("a line too many", "a", "a\nb"),
        other("a line too few", "a\nb", "a"),
        other("another order", "a\nb", "b\na"),
        same("any order", "a\nb", "b\na", Mark.ANY_ORDER),
        other("any order, other lines", "a\nb", "b\nc", Mark.ANY_ORDER),
        other("any order, twice the same", "a\nb", "b\nb", Mark.ANY_ORDER),
        other("any order, a line too many", "a\nb", "b\na\nc", Mark.ANY_ORDER),
        same("any order, other lines allowed", "a\n…", "b\na\nc", Mark.ANY_ORDER),
        same("ages", "x 12s", "x 3m10s"),
        other("an age is no word", "x 12s", "x soon"),
        same("times", "ready 0.9 s", "ready 12.1 s"),
        same("milliseconds", "0.4 ms", "12 ms"),
        same("processes and sizes", "pid 12, 137 MiB", "pid 99999, 90 MiB"),
        same("the kubeconfig", "in /root/.kube/config", "in /tmp/a/.kube/config"),
        other("another file", "in /root/.kube/config", "in /tmp/a/.kube/cache"),
        same("generated names", "web-7c9d5f6b8-2kd8x 1/1", "web-5d4f6b7c8-x2kd8 1/1"),
        same("names of slices", "web-2kd8x", "web-zt6vq"),
        other("another name before the suffix", "web-2kd8x", "app-zt6vq"),
        same("the same name twice", "web-2kd8x\nweb-2kd8x", "web-zt6vq\nweb-zt6vq"),
        other("one name for two things", "web-2kd8x\nweb-2kd8x", "web-zt6vq\nweb-p5w9n"),
        other("two names for one thing", "web-2kd8x\nweb-zt6vq", "web-p5w9n\nweb-p5w9n"),
        other("an address that does not vary", "10.0.1.175", "10.0.1.176"),
        same("an address that varies", "10.244.0.5:80", "10.244.0.17:80"),
        other("an address is no name", "10.244.0.5", "none"),
        other("only that address varies", "10.244.0.55", "10.244.0.17"),
        other("two addresses for one", "10.244.0.5 10.244.0.6", "10.244.0.9 10.244.0.9"),
        same("a port that varies", "80:30871/TCP", "80:31002/TCP"),
        same("capitals for capitals", "-j SEP-A", "-j WP4DJFDWEPABKXDE"),
        other("a number", "4 web", "5 web"),
        same("numbers vary", "4 web", "5 web", Mark.NUMBERS_VARY),
        other("numbers vary, names do not", "4 web", "5 app", Mark.NUMBERS_VARY),
        other("numbers vary, addresses do not", "4 10.0.0.1", "5 10.0.0.2", Mark.NUMBERS_VARY),
        same("rest of the line", "a …", "a b c"),
        same("inside of a line", "a … d", "a b c d"),
        other("inside of a line, other end", "a … d", "a b c"),
        same("any lines", "a\n…\nd", "a\nb\nc\nd"),
        same("no lines", "a\n…\nd", "a\nd"),
        other("any lines, other end", "a\n…\nd", "a\nb\nc"),
        same(
            "names bound through any order",
            "web-2kd8x 10.244.0.5\nweb-zt6vq 10.244.0.6",
            "web-p5w9n 10.244.0.7\nweb-r7c4m 10.244.0.2",
            Mark.ANY_ORDER),
        same("signs of regular expressions", "a.b (c) [d] \\Q$1", "a.b (c) [d] \\Q$1"),
        other("a dot is a dot", "a.b", "axb"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void compares(Row row) {
    var comparison = new OutputComparison(row.written().lines().toList(), row.marks(), VARYING);
    assertThat(comparison.agree(row.printed().lines().toList(), new Bindings()).isPresent())
        .isEqualTo(row.same());
  }

  @Test
  void wordsKeepTheirMeaningFromCommandToCommand() {
    var first = new OutputComparison(List.of("pod 10.244.0.5"), Set.of(), VARYING);
    Bindings learnt = first.agree(List.of("pod 10.244.0.2"), new Bindings()).orElseThrow();
    assertThat(first.agree(List.of("pod 10.244.0.2"), learnt)).isPresent();
    assertThat(first.agree(List.of("pod 10.244.0.3"), learnt)).isEmpty();
    var second = new OutputComparison(List.of("pod 10.244.0.6"), Set.of(), VARYING);
    assertThat(second.agree(List.of("pod 10.244.0.2"), learnt)).isEmpty();
    assertThat(second.agree(List.of("pod 10.244.0.3"), learnt)).isPresent();
    assertThat(learnt).hasToString("10.244.0.5 is 10.244.0.2");
  }

  @Test
  void theDifferenceShowsBothTexts() {
    var comparison =
        new OutputComparison(List.of("NAME   AGE", "web   12s", "app   1s"), Set.of(), VARYING);
    assertThat(comparison.difference(List.of("NAME AGE", "web 3s", "abc 1s")))
        .isEqualTo("    NAME AGE\n    web 3s\n  - app   1s\n  + abc 1s\n");
  }
}
