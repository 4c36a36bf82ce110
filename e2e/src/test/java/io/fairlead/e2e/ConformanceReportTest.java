package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `bin/ConformanceReport.java` makes of the reports of Kubernetes' tests.
final class ConformanceReportTest {
  private static final String SUITE =
      """
      - testname: One
        codename: '[sig-network] DNS should provide DNS for services [Conformance]'
        description: x
      - testname: Two
        codename: '[sig-network] Services should serve endpoints on same port and different
          protocols [Conformance]'
      - testname: Three
        codename: '[sig-node] Pods should not be tired of ''quotes'' [Conformance]'
      """;

  @TempDir private Path directory;

  private static String test(String name, String status, String inside) {
    return "<testcase name='[It] %s [sig-x, Conformance]' status='%s'>%s</testcase>"
        .formatted(name, status, inside);
  }

  private FairleadCli.Result report(String cases) throws Exception {
    Files.writeString(directory.resolve("suite.yaml"), SUITE);
    Files.writeString(directory.resolve("junit.xml"), "<testsuite>" + cases + "</testsuite>");
    return FairleadCli.run(
        directory,
        Map.of(),
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            Repository.root().resolve("bin/ConformanceReport.java").toString(),
            "page.md",
            "suite.yaml",
            "one node",
            "junit.xml"));
  }

  @Test
  void thePageKeepsWhatARunDidNotTouch() throws Exception {
    FairleadCli.Result first =
        report(
            test("[sig-network] DNS should provide DNS for services [Conformance]", "passed", "")
                + test(
                    "[sig-network] Services should serve endpoints on same port and different"
                        + " protocols [Conformance]",
                    "failed",
                    "<failure message='' type='failed'>[FAILED] timed out&#10;  waiting&#10;In [It] at:"
                        + " /x/proxy.go:503 @ 04:08</failure>")
                + test("[sig-node] late", "interrupted", "<error message='' type='x'>y</error>")
                + test(
                    "[sig-node] later",
                    "timedout",
                    "<failure message=''>[TIMEDOUT] A suite timeout occurred</failure>")
                + test("[sig-node] other", "skipped", "<skipped message='skipped'/>")
                + test("[sig-node] two", "skipped", "<skipped message='skipped - 2 nodes'/>"));
    assertThat(first.exit()).as(first.out()).isEqualTo(1);
    assertThat(first.out())
        .contains("ran: 2, passed: 1, failed: 1, skipped themselves: 1")
        .contains("failed: [sig-network] Services should serve")
        .contains("timed out waiting");
    FairleadCli.Result second =
        report(
            test(
                    "[sig-node] Pods should not be tired of &apos;quotes&apos; [Conformance]",
                    "passed",
                    "")
                .replace("tired of 'quotes'", "tired of &apos;quotes&apos;"));
    assertThat(second.exit()).as(second.out()).isZero();
    assertThat(directory.resolve("page.md"))
        .content()
        .contains(
            "| network | 2 | 1 | 1 | 0 |", "| node | 1 | 1 | 0 | 0 |", "| all | 3 | 2 | 1 | 0 |")
        .contains("\n- 1 tests, one node: 0 failed\n- 2 tests, one node: 1 failed\n")
        .contains("- [x] [sig-network] DNS should provide DNS for services [Conformance]\n")
        .contains(
            "- [ ] [sig-network] Services should serve endpoints on same port and different"
                + " protocols [Conformance] — timed out waiting\n");
  }

  @Test
  void aRunWithoutTestsFailsAndWritesNothing() throws Exception {
    FairleadCli.Result result = report("");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(directory.resolve("page.md")).doesNotExist();
  }
}
