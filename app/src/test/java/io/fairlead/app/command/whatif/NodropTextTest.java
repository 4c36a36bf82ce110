package io.fairlead.app.command.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.nodrop.NoDropReport;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What `nodrop` prints of a report, and how it exits.
class NodropTextTest {
  private record Case(
      String name, int late, Optional<Integer> commandExit, int exit, String says, String not) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("nothing lost", 0, Optional.of(0), ExitCode.FINE, "0 lost", "FL189"),
        new Case("one in a hundred may be late", 9, Optional.of(0), ExitCode.FINE, "", "FL189"),
        new Case(
            "v118 a prober that is behind proves nothing",
            40,
            Optional.of(0),
            ExitCode.COULD_NOT,
            "the prober could not keep its pace (40 late): no proof   FL189",
            "{"),
        new Case(
            "v116 a command that fails is no loss",
            0,
            Optional.of(1),
            ExitCode.COULD_NOT,
            "command ended with 1",
            "FL189"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void linesAndExit(Case each) {
    NoDropReport report =
        new NoDropReport(
            List.of("true"),
            each.commandExit(),
            5,
            new NoDropReport.ConnectionTally(1000, 1000, 0, each.late()),
            new NoDropReport.LongLived(0, 0, 0),
            List.of());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new NodropText(new CommandLineHarness().context(out, out), SentenceCatalog.english())
        .print(report);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(each.says())
        .doesNotContain(each.not());
    assertThat(NodropSession.exit(report)).isEqualTo(each.exit());
  }
}
