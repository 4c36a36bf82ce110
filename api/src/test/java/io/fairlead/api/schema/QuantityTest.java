package io.fairlead.api.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest(name = "{0} is written {1}")
  @CsvSource({
    "0, 0",
    "0Mi, 0",
    "1000m, 1",
    "0.5, 500m",
    "1.5, 1500m",
    "100m, 100m",
    "1024Mi, 1Gi",
    "1.5Gi, 1536Mi",
    "0.5Ki, 512",
    "1500Ki, 1500Ki",
    "1000, 1k",
    "1000000, 1M",
    "1024, 1024",
    "1e3, 1e3",
    "1E3, 1e3",
    "12e5, 1200e3",
    "5E, 5E",
    "-500m, -500m",
    "+5, 5",
    ".5, 500m",
    "5., 5",
    "007, 7",
    "1n, 1n",
    "0.1n, 1n",
    "1e-999999999, 1e-9",
    "1e999999999, 9223372036854775807",
    "9223372036854775808, 9223372036854775807",
    "1000Pi, 1000Pi",
    "100k, 100k",
    "0.001k, 1",
  })
  void canonicalText(String text, String canonical) {
    assertThat(Quantity.parse(text)).hasToString(canonical);
    assertThat(Quantity.canonical(text)).isEqualTo(canonical);
    assertThat(Quantity.parse(canonical)).hasToString(canonical);
  }

  @ParameterizedTest(name = "\"{0}\" is no quantity")
  @ValueSource(
      strings = {
        "", " ", "x", ".", "1.2.3", "1 ", "1ki", "1KI", "1e", "1e+", "1ee3", "--1", "Ki", "1i",
        "1 Gi", "1e1.5"
      })
  void refused(String text) {
    assertThat(Quantity.parseOrNull(text)).isNull();
    assertThat(Quantity.canonical(text)).isNull();
  }

  @Test
  void longTextIsRefusedNotComputed() {
    assertThat(Quantity.parseOrNull("9".repeat(1_000_000))).isNull();
  }

  @Test
  void comparesAmountsNotSpellings() {
    assertThat(Quantity.parse("1Ki")).isEqualByComparingTo(Quantity.parse("1024"));
    assertThat(Quantity.parse("1Ki")).isNotEqualTo(Quantity.parse("1024"));
    assertThat(Quantity.parse("1000m")).isEqualTo(Quantity.parse("1"));
    assertThat(Quantity.parse("999m")).isLessThan(Quantity.parse("1"));
  }

  @Test
  void sumsKeepTheSuffixesOfTheLeftSide() {
    assertThat(Quantity.parse("512Mi").plus(Quantity.parse("512Mi"))).hasToString("1Gi");
    assertThat(Quantity.ZERO.plus(Quantity.parse("1Gi"))).hasToString("1Gi");
    assertThat(Quantity.parse("1").minus(Quantity.parse("250m"))).hasToString("750m");
  }

  @Test
  void wholeAndMilliValuesRoundUp() {
    assertThat(Quantity.parse("1500m").value()).isEqualTo(2);
    assertThat(Quantity.parse("0.0001").milliValue()).isEqualTo(1);
    assertThat(Quantity.ofMillis(1500)).hasToString("1500m");
  }
}
