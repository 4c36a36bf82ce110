package io.fairlead.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Where the flags of a verb end that runs another command.
class OtherCommandTest {
  /// @param line the words after `shell`
  /// @param command those of the command
  /// @param directory the value of --data-dir
  record Row(String line, String command, String directory) {}

  static Stream<Row> rows() {
    return Stream.of(
        new Row("", "", ""),
        new Row("kubectl get nodes", "kubectl get nodes", ""),
        new Row("kubectl get nodes -o wide --help", "kubectl get nodes -o wide --help", ""),
        new Row("--data-dir=/x kubectl -n a get pods", "kubectl -n a get pods", "/x"),
        new Row("--data-dir /x ls -h", "ls -h", "/x"),
        new Row("--data-dir=/x -- ls --data-dir=/y", "ls --data-dir=/y", "/x"),
        new Row("--data-dir=/x", "", "/x"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void splits(Row row) {
    List<String> words = row.line().isEmpty() ? List.of() : List.of(row.line().split(" "));
    Verb shell = Grammar.verb("shell").orElseThrow();
    Arguments arguments = new ArgumentParser(Map.of()).parse(shell, words);
    assertThat(String.join(" ", arguments.operands())).isEqualTo(row.command());
    assertThat(arguments.path("data-dir").map(String::valueOf).orElse(""))
        .isEqualTo(row.directory());
  }
}
