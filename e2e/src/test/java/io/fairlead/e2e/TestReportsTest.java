package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// How `bin/TestReports.java` judges a run by its reports.
final class TestReportsTest {
  private static final String FLAKY = "<flakyFailure message='late'/>";
  private static final String EXPECTED =
      """
      # comment
      true | a\\.B#skips.* | no IPv6
      [ -e nowhere ] | a\\.B#needsATool | etcd is not installed
      """;

  @TempDir private Path root;

  /// @param cases the test cases of the one report, as surefire writes them
  /// @param exit 0 when the run passes
  /// @param says what is printed
  record Row(String name, String cases, int exit, String says) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("all pass", test("passes", ""), 0, "tests: 1, failed: 0"),
        new Row(
            "one fails, and the log says why",
            test("fails", "<failure message='&#10;expected:&#10;  1'>trace</failure>"),
            1,
            "a.B#fails: expected: 1"),
        new Row("one ends with an error", test("fails", "<error/>"), 1, "a.B#fails"),
        new Row("two flakes", test("one", FLAKY) + test("two", FLAKY), 0, "flaky: 2"),
        new Row(
            "three flakes",
            test("one", FLAKY) + test("two", FLAKY) + test("three", FLAKY),
            1,
            "more than 2 tests needed a second attempt"),
        new Row(
            "a listed skip",
            test("skipsIpv6", "<skipped message='this machine has no IPv6'/>"),
            0,
            "skipped: 1 (1 expected)"),
        new Row(
            "a listed skip of a system test, its reason in a stack trace",
            test(
                    "skipsIpv6",
                    "<skipped>Assumption failed: this machine has no IPv6\n at x</skipped>")
                .replace("a.B", "a.B(system)"),
            0,
            "skipped: 1 (1 expected)"),
        new Row(
            "a listed test skipped for another reason",
            test("skipsIpv6", "<skipped message='no kubectl'/>"),
            1,
            "a.B#skipsIpv6: no kubectl"),
        new Row(
            "a listed skip where its condition does not hold",
            test("needsATool", "<skipped message='etcd is not installed'/>"),
            1,
            "a.B#needsATool: etcd is not installed"),
        new Row("no test at all", "", 1, "there are no test reports"));
  }

  private static String test(String name, String inside) {
    return "<testcase classname='a.B' name='" + name + "'>" + inside + "</testcase>";
  }

  @ParameterizedTest
  @MethodSource("rows")
  void judges(Row row) throws IOException, InterruptedException {
    Path reports = Files.createDirectories(root.resolve("module/target/surefire-reports"));
    Files.writeString(
        reports.resolve("TEST-a.B.xml"), "<testsuite>" + row.cases() + "</testsuite>");
    Path expected = Files.writeString(root.resolve("expected-skips"), EXPECTED);
    FairleadCli.Result result = run(expected);
    assertThat(result.exit()).as(result.out()).isEqualTo(row.exit());
    assertThat(result.out()).contains(row.says());
  }

  @Test
  void readsTheListOfThisRepository() throws IOException {
    Path list = Repository.root().resolve(".ci/expected-skips");
    assertThat(Files.readAllLines(list).stream().filter(line -> !line.startsWith("#")))
        .isNotEmpty()
        .allMatch(line -> line.split(" \\| ").length == 3);
  }

  private FairleadCli.Result run(Path expected) throws IOException, InterruptedException {
    return FairleadCli.run(
        root,
        Map.of(),
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            Repository.root().resolve("bin/TestReports.java").toString(),
            root.toString(),
            expected.toString()));
  }
}
