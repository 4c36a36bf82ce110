package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// No two files of main code have the same dozen lines: what is written twice is changed once.
///
/// Imports, annotations, comments and lines without a word do not count.
class DuplicateLinesTest {
  private static final int RUN = 12;
  private static final Pattern PASSED_OVER =
      Pattern.compile("(//|import |package |@).*|[^\\p{L}\\p{N}]*");

  /// Pairs that are alike for a reason.
  private static final Map<String, String> DECIDED =
      Map.of("AgentOptions ~ AgentOptionsBuilder", "a builder names each component of its record");

  private record Place(Path file, int line) {}

  @Test
  void noTwoFilesHaveTheSameDozenLines() {
    assertThat(duplicates(SourceTree.mainTypes(), RUN)).isEqualTo(DECIDED.keySet());
  }

  @Test
  void twoFilesWithTheSameLinesAreFound() {
    Path file = SourceTree.mainTypes().getFirst();
    String name = SourceTree.typeName(file);
    // A module's first type, beside itself under another path.
    Path same = file.resolveSibling("./" + name + ".java");
    assertThat(duplicates(List.of(file, same), 3)).containsExactly(name + " ~ " + name);
  }

  private static Set<String> duplicates(List<Path> files, int run) {
    Map<List<String>, Place> first = new HashMap<>();
    Set<String> pairs = new TreeSet<>();
    for (Path file : files) {
      List<String> lines = lines(file);
      for (int at = 0; at + run <= lines.size(); at++) {
        Place here = new Place(file, at);
        Place other = first.putIfAbsent(List.copyOf(lines.subList(at, at + run)), here);
        if (other != null && !other.file().equals(file)) {
          pairs.add(SourceTree.typeName(other.file()) + " ~ " + SourceTree.typeName(file));
        }
      }
    }
    return pairs;
  }

  private static List<String> lines(Path file) {
    List<String> lines = new ArrayList<>();
    for (String line : SourceTree.read(file).lines().toList()) {
      String text = line.strip();
      if (!PASSED_OVER.matcher(text).matches()) {
        lines.add(text);
      }
    }
    return lines;
  }
}
