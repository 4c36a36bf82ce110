package io.fairlead.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.cli.Terminal.Mark;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TerminalTest {
  private static final String GREEN = "\u001b[32m✓\u001b[0m";

  record Row(
      String name, Map<String, String> environment, String terminals, String when, String mark) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    Map<String, String> utf8 = Map.of("LANG", "en_US.UTF-8");
    return Stream.of(
        new Row("terminal: coloured", utf8, "out,err", "auto", GREEN),
        new Row("no terminal: plain", utf8, "", "auto", "✓"),
        new Row("only standard error is a terminal", utf8, "err", "auto", "✓"),
        new Row("never", utf8, "out", "never", "✓"),
        new Row("always, without a terminal", utf8, "", "always", GREEN),
        new Row("NO_COLOR", Map.of("LANG", "C.UTF-8", "NO_COLOR", "1"), "out", "auto", "✓"),
        new Row(
            "an empty NO_COLOR does not count",
            Map.of("LANG", "C.UTF-8", "NO_COLOR", ""),
            "out",
            "auto",
            GREEN),
        new Row("TERM=dumb", Map.of("LANG", "C.UTF-8", "TERM", "dumb"), "out", "auto", "✓"),
        new Row("POSIX locale: ASCII marks", Map.of("LANG", "C"), "", "auto", "ok"),
        new Row("no locale at all: ASCII marks", Map.of(), "", "auto", "ok"),
        new Row("LC_ALL wins", Map.of("LC_ALL", "C", "LANG", "C.UTF-8"), "", "auto", "ok"),
        new Row("utf8 without a dash", Map.of("LC_CTYPE", "C.utf8"), "", "auto", "✓"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void marks(Row row) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    Terminal terminal =
        Terminal.of(nowhere, nowhere, row.environment(), row.terminals(), row.when());
    assertThat(terminal.mark(Mark.GOOD)).isEqualTo(row.mark());
  }
}
