package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every vector, fault and attack of the specification of network policies is a named test, or a
/// row here says why it is none.
class PolicyVectorsCoverageTest {
  /// A name in a string or of a method: `PV72a`, `pv79ToPv81`; not `IPV4`.
  private static final Pattern NAME =
      Pattern.compile("(?i)(?<!i)p([vfx])([0-9]{1,3})(a?)(?![0-9])");

  private static final Pattern SPAN = Pattern.compile("(?i)p([vfx])([0-9]+)Top[vfx]([0-9]+)");

  /// Where tests of policies lie.
  private static final List<String> PLACES =
      List.of(
          "policy/src/test/java", "agent/src/test/java", "app/src/test/java", "e2e/src/test/java");

  private static final Map<String, String> NOT_TESTS =
      Map.of(
          "PF9", "bench policy loads 10,000 pods",
          "PX3", "a right of the API, said in docs/network-policy.md");

  private static Set<String> wanted() {
    Set<String> all = new TreeSet<>();
    IntStream.rangeClosed(1, 101).forEach(i -> all.add("PV" + i));
    all.add("PV72a");
    IntStream.rangeClosed(1, 10).forEach(i -> all.add("PF" + i));
    IntStream.rangeClosed(1, 11).forEach(i -> all.add("PX" + i));
    all.removeAll(NOT_TESTS.keySet());
    return all;
  }

  private static Set<String> found() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String place : PLACES) {
      try (Stream<Path> files = Files.walk(Repository.root().resolve(place))) {
        for (Path file : files.filter(each -> isAboutPolicies(each)).toList()) {
          String text = Files.readString(file);
          for (Matcher names = NAME.matcher(text); names.find(); ) {
            found.add(
                "P"
                    + names.group(1).toUpperCase(Locale.ROOT)
                    + names.group(2)
                    + names.group(3).toLowerCase(Locale.ROOT));
            // An `a` may be the next word of a name: pv33ARange.
            found.add("P" + names.group(1).toUpperCase(Locale.ROOT) + names.group(2));
          }
          for (Matcher spans = SPAN.matcher(text); spans.find(); ) {
            String kind = "P" + spans.group(1).toUpperCase(Locale.ROOT);
            IntStream.rangeClosed(
                    Integer.parseInt(spans.group(2)), Integer.parseInt(spans.group(3)))
                .forEach(i -> found.add(kind + i));
          }
        }
      }
    }
    return found;
  }

  private static boolean isAboutPolicies(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(".java")
        && !name.equals("PolicyVectorsCoverageTest.java")
        && (file.toString().contains("/policy/") || name.contains("Policy"));
  }

  @Test
  void everyVectorIsANamedTest() throws IOException {
    Set<String> missing = new TreeSet<>(wanted());
    missing.removeAll(found());
    assertThat(missing).isEmpty();
  }

  @Test
  void noReasonIsKeptForATestThatExists() throws IOException {
    Set<String> both = new TreeSet<>(NOT_TESTS.keySet());
    both.retainAll(found());
    assertThat(both).isEmpty();
  }
}
