package io.fairlead.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What command lines say.
class FlagParserTest {
  /// Words behind `up`, unless the row says otherwise.
  record Row(String name, Verb verb, List<String> words, FlagParser.ParsedLine expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  record Wrong(String name, ErrorCode code, List<String> words) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row row(String name, Map<String, String> given, String... words) {
    return row(name, given, List.of(), words);
  }

  private static Row row(
      String name, Map<String, String> given, List<String> operands, String... words) {
    return new Row(name, Grammar.UP, List.of(words), new FlagParser.ParsedLine(given, operands));
  }

  private static Row ofProxy(String name, Map<String, String> given, String... words) {
    return new Row(
        name, Grammar.PROXY, List.of(words), new FlagParser.ParsedLine(given, List.of()));
  }

  static Stream<Row> rows() {
    return Stream.of(
        row("nothing", Map.of()),
        row("a value", Map.of("api-port", "7"), "--api-port=7"),
        row("a value with =", Map.of("tls-san", "a=b"), "--tls-san=a=b"),
        row("a list", Map.of("service-cidr", "a,b"), "--service-cidr=a,b"),
        row("a bare switch", Map.of("lab", "true"), "--lab"),
        row("a switch off", Map.of("lab", "false"), "--lab=false"),
        row("a switch off, as a word of its own", Map.of("lab", "false"), "--lab", "false"),
        row(
            "several",
            Map.of("foreground", "true", "api-port", "7"),
            "--foreground",
            "--api-port=7"),
        row("a flag of every verb", Map.of("color", "never"), "--color=never"),
        row("a value as a word of its own", Map.of("api-port", "7"), "--api-port", "7"),
        row(
            "one before a switch",
            Map.of("api-port", "7", "lab", "true"),
            "--api-port",
            "7",
            "--lab"),
        row("a negative number", Map.of("api-port", "-7"), "--api-port", "-7"),
        row("a value that looks like a flag", Map.of("api-port", "--x"), "--api-port", "--x"),
        row("an empty value", Map.of("tls-san", ""), "--tls-san="),
        row("an empty word", Map.of("tls-san", ""), "--tls-san", ""),
        row("twice: a list grows", Map.of("tls-san", "a,b"), "--tls-san=a", "--tls-san=b"),
        row("twice: the last counts", Map.of("api-port", "8"), "--api-port=7", "--api-port=8"),
        row("an operand", Map.of("lab", "true"), List.of("now"), "--lab", "now"),
        row("operands only", Map.of(), List.of("a", "b"), "a", "b"),
        row("a dash alone", Map.of(), List.of("-"), "-"),
        row("a number", Map.of(), List.of("-5"), "-5"),
        row(
            "operands behind dashes",
            Map.of("lab", "true"),
            List.of("--lab"),
            "--lab",
            "--",
            "--lab"),
        row("a letter", Map.of("v", "4"), "-v=4"),
        row("a letter and a word", Map.of("v", "4"), "-v", "4"),
        ofProxy(
            "true or false needs no word",
            Map.of("masquerade-all", "true", "profiling", "false"),
            "--masquerade-all",
            "--profiling",
            "false"),
        ofProxy("empty", Map.of("metrics-bind-address", ""), "--metrics-bind-address="));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void readsALine(Row row) {
    assertThat(FlagParser.parse(row.verb(), row.words())).isEqualTo(row.expected());
  }

  static Stream<Wrong> wrong() {
    return Stream.of(
        new Wrong("no value", ErrorCode.FL302, List.of("--api-port")),
        new Wrong("a flag in its place", ErrorCode.FL302, List.of("--api-port", "--lab")),
        new Wrong("a flag with a value in its place", ErrorCode.FL302, List.of("-v", "-v=3")),
        new Wrong("a letter in its place", ErrorCode.FL302, List.of("--api-port", "-v4")),
        new Wrong("dashes in its place", ErrorCode.FL302, List.of("--api-port", "--")),
        new Wrong("two dashes before a letter", ErrorCode.FL301, List.of("--v=4")),
        new Wrong("one dash before a word", ErrorCode.FL301, List.of("-lab")),
        new Wrong("a letter with its value", ErrorCode.FL301, List.of("-v4")),
        new Wrong("unknown", ErrorCode.FL301, List.of("--no-such=1")),
        new Wrong("unknown, and one without value", ErrorCode.FL302, List.of("--x", "--api-port")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  void saysWhatIsWrong(Wrong row) {
    assertThatExceptionOfType(FairleadException.class)
        .isThrownBy(() -> FlagParser.parse(Grammar.UP, row.words()))
        .satisfies(e -> assertThat(e.code()).isEqualTo(row.code()));
  }
}
