package io.fairlead.e2e.documents;

import io.fairlead.e2e.documents.FencedBlock.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Holds what a command printed against what the document says. Blank lines do not count.
final class OutputComparison {
  private static final String ANY_LINES = "…";

  private final List<String> written;
  private final List<LinePattern> patterns;
  private final boolean anyOrder;

  /// @param varying words that stand for others of their form
  OutputComparison(List<String> written, Set<Mark> marks, Set<String> varying) {
    this.written = written.stream().filter(line -> !line.isBlank()).toList();
    this.patterns =
        this.written.stream()
            .map(line -> LinePattern.of(line, varying, marks.contains(Mark.NUMBERS_VARY)))
            .toList();
    this.anyOrder = marks.contains(Mark.ANY_ORDER);
  }

  /// Whether it agrees; what the words mean is returned then.
  Optional<Bindings> agree(List<String> output, Bindings bindings) {
    List<String> printed = output.stream().filter(line -> !line.isBlank()).toList();
    return anyOrder
        ? unordered(0, new ArrayList<>(printed), bindings)
        : ordered(0, printed, bindings);
  }

  private boolean anyLines(int index) {
    return written.get(index).strip().equals(ANY_LINES);
  }

  private Optional<Bindings> ordered(int index, List<String> printed, Bindings bindings) {
    if (index == written.size()) {
      return printed.isEmpty() ? Optional.of(bindings) : Optional.empty();
    }
    if (anyLines(index)) {
      for (int skipped = 0; skipped <= printed.size(); skipped++) {
        var rest = ordered(index + 1, printed.subList(skipped, printed.size()), bindings);
        if (rest.isPresent()) {
          return rest;
        }
      }
      return Optional.empty();
    }
    Bindings next = bindings.copy();
    return !printed.isEmpty() && patterns.get(index).matches(printed.getFirst(), next)
        ? ordered(index + 1, printed.subList(1, printed.size()), next)
        : Optional.empty();
  }

  private Optional<Bindings> unordered(int index, List<String> left, Bindings bindings) {
    if (index == written.size()) {
      return left.isEmpty() || written.stream().anyMatch(line -> line.strip().equals(ANY_LINES))
          ? Optional.of(bindings)
          : Optional.empty();
    }
    if (anyLines(index)) {
      return unordered(index + 1, left, bindings);
    }
    for (int i = 0; i < left.size(); i++) {
      Bindings next = bindings.copy();
      if (patterns.get(index).matches(left.get(i), next)) {
        List<String> others = new ArrayList<>(left);
        others.remove(i);
        var rest = unordered(index + 1, others, next);
        if (rest.isPresent()) {
          return rest;
        }
      }
    }
    return Optional.empty();
  }

  /// Both texts line by line: `-` only written, `+` only printed.
  String difference(List<String> output) {
    List<String> printed = output.stream().filter(line -> !line.isBlank()).toList();
    int[][] common = new int[written.size() + 1][printed.size() + 1];
    for (int i = written.size() - 1; i >= 0; i--) {
      for (int j = printed.size() - 1; j >= 0; j--) {
        common[i][j] =
            patterns.get(i).looksLike(printed.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    StringBuilder text = new StringBuilder();
    int i = 0;
    int j = 0;
    while (i < written.size() || j < printed.size()) {
      boolean both = i < written.size() && j < printed.size();
      if (both && patterns.get(i).looksLike(printed.get(j))) {
        text.append("    ").append(printed.get(j++)).append('\n');
        i++;
      } else if (i < written.size() && (!both || common[i + 1][j] >= common[i][j + 1])) {
        text.append("  - ").append(written.get(i++)).append('\n');
      } else {
        text.append("  + ").append(printed.get(j++)).append('\n');
      }
    }
    return text.toString();
  }
}
