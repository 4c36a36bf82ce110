package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.Repository;
import io.fairlead.insight.finding.FindingCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every vector of the specification of `explain`, `trace` and the verbs beside them is a named
/// test, or a row here says why it is none; and every code of a finding is provoked.
class InsightVectorsCoverageTest {
  /// A row of a table: `"41: a rule is missing"`.
  private static final Pattern ROW = Pattern.compile("\"([0-9]{1,3}): ");

  /// A method or the name of a case: `v78Nftables`, `vector117TheCommand`, `"v78 nftables`.
  private static final Pattern NAME =
      Pattern.compile("(?<![A-Za-z0-9])v(?:ector)?([0-9]{1,3})(?=[A-Z ])");

  private static final Pattern CODE = Pattern.compile("FL1[0-9]{2}(?![0-9])");
  private static final int LAST = 148;

  private static final Map<Integer, String> NOT_TESTS =
      Map.of(
          75, "bench explain: 10,000 pods and 1,000 Services",
          102, "the kernel lists only what is asked for; a load of 100,000 flows is no test");

  private static Stream<Path> tests() throws IOException {
    Path root = Repository.root();
    Stream.Builder<Path> all = Stream.builder();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.map(each -> each.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(module)) {
          try (Stream<Path> files = Files.walk(module)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(all);
          }
        }
      }
    }
    String here = InsightVectorsCoverageTest.class.getSimpleName();
    return all.build().filter(file -> !file.endsWith(here + ".java"));
  }

  private static boolean isAboutInsight(Path file) {
    return Stream.of(
            "/insight/src/",
            "/proxy/trace/",
            "/proxy/nodeapi/",
            "/proxy/mode/Live",
            "/nftables/Traced",
            "/app/command/",
            "/app/dns/",
            "/e2e/agent/")
        .anyMatch(file.toString()::contains);
  }

  private static Set<String> found(Predicate<Path> where, Pattern... patterns) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : tests().filter(where).toList()) {
      String text = Files.readString(file);
      for (Pattern pattern : patterns) {
        for (Matcher names = pattern.matcher(text); names.find(); ) {
          found.add(names.group(names.groupCount()));
        }
      }
    }
    return found;
  }

  private static Set<Integer> vectors() throws IOException {
    Set<Integer> vectors =
        found(InsightVectorsCoverageTest::isAboutInsight, ROW, NAME).stream()
            .map(Integer::valueOf)
            .collect(Collectors.toCollection(TreeSet::new));
    // The test below.
    vectors.add(130);
    return vectors;
  }

  @Test
  void everyVectorIsANamedTest() throws IOException {
    Set<Integer> missing = new TreeSet<>(IntStream.rangeClosed(1, LAST).boxed().toList());
    missing.removeAll(NOT_TESTS.keySet());
    missing.removeAll(vectors());
    assertThat(missing).isEmpty();
  }

  @Test
  void noReasonIsKeptForATestThatExists() throws IOException {
    Set<Integer> both = new TreeSet<>(NOT_TESTS.keySet());
    both.retainAll(vectors());
    assertThat(both).isEmpty();
  }

  /// Its texts and its help page are judged beside the catalogue.
  @Test
  void v130EveryCodeIsProvoked() throws IOException {
    List<String> catalogue = List.of("SentenceCatalogTest.java", "CommandLineTest.java");
    Set<String> provoked =
        found(
            file -> catalogue.stream().noneMatch(file::endsWith),
            Pattern.compile("(" + CODE + ")"));
    assertThat(Arrays.stream(FindingCode.values()).map(FindingCode::name))
        .allSatisfy(code -> assertThat(provoked).contains(code));
  }
}
