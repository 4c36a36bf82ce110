package io.fairlead.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which command lines are read without picocli, and what they say.
class PlainFlagsTest {

  /// @param given empty when picocli has to look
  record Row(String name, List<String> words, Optional<Map<String, String>> given) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row plain(String name, Map<String, String> given, String... words) {
    return new Row(name, List.of(words), Optional.of(given));
  }

  private static Row other(String name, String... words) {
    return new Row(name, List.of(words), Optional.empty());
  }

  static Stream<Row> rows() {
    return Stream.of(
        plain("a value", Map.of("api-port", "7"), "--api-port=7"),
        plain("a value with =", Map.of("tls-san", "a=b"), "--tls-san=a=b"),
        plain("a list", Map.of("service-cidr", "a,b"), "--service-cidr=a,b"),
        plain("a bare switch", Map.of("lab", "true"), "--lab"),
        plain("a switch off", Map.of("lab", "false"), "--lab=false"),
        plain(
            "several",
            Map.of("foreground", "true", "api-port", "7"),
            "--foreground",
            "--api-port=7"),
        plain("a flag of every verb", Map.of("color", "never"), "--color=never"),
        plain("a value as a word of its own", Map.of("api-port", "7"), "--api-port", "7"),
        plain(
            "one before a switch",
            Map.of("api-port", "7", "lab", "true"),
            "--api-port",
            "7",
            "--lab"),
        other("no value", "--api-port"),
        other("a flag in its place", "--api-port", "--lab"),
        other("a negative number", "--api-port", "-7"),
        other("an empty value", "--tls-san="),
        other("twice: a list grows", "--tls-san=a", "--tls-san=b"),
        other("an operand", "--lab", "now"),
        other("one dash", "-v=4"),
        other("two dashes before a letter", "--v=4"),
        other("unknown", "--no-such=1"),
        other("dashes alone", "--"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void readsThePlainOnes(Row row) {
    assertThat(PlainFlags.read(Grammar.UP, row.words())).isEqualTo(row.given());
  }

  @Test
  void somethingEmptyMeansSomethingToFew() {
    assertThat(PlainFlags.read(Grammar.PROXY, List.of("--metrics-bind-address=")))
        .contains(Map.of("metrics-bind-address", ""));
    assertThat(PlainFlags.read(Grammar.PROXY, List.of("--metrics-bind-address", ""))).isEmpty();
    assertThat(PlainFlags.read(Grammar.PROXY, List.of("--kubeconfig="))).isEmpty();
  }
}
