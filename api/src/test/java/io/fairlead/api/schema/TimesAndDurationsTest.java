package io.fairlead.api.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TimesAndDurationsTest {
  record Row(String text, @Nullable Long nanoseconds, String printed) {
    @Override
    public String toString() {
      return '"' + text + '"';
    }
  }

  static Stream<Row> durations() {
    return Stream.of(
        new Row("0", 0L, "0s"),
        new Row("1m30s", 90_000_000_000L, "1m30s"),
        new Row("1.5h", 5_400_000_000_000L, "1h30m0s"),
        new Row("250ms", 250_000_000L, "250ms"),
        new Row("1500us", 1_500_000L, "1.5ms"),
        new Row("-2s", -2_000_000_000L, "-2s"),
        new Row("3ns", 3L, "3ns"),
        new Row("1h0m0.5s", 3_600_500_000_000L, "1h0m0.5s"),
        new Row("999999h", 3_599_996_400_000_000_000L, "999999h0m0s"),
        new Row("1000000h", 3_600_000_000_000_000_000L, "1000000h0m0s"),
        new Row("999999h999999h999999h", null, ""),
        new Row(".s", null, ""),
        new Row("", null, ""),
        new Row("5", null, ""),
        new Row("1d", null, ""),
        new Row("s", null, ""),
        new Row("1..5s", null, ""),
        new Row("99999999999h", null, ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("durations")
  void durationsAreReadAndPrintedAsGoDoes(Row row) {
    Long nanoseconds = Durations.nanoseconds(row.text());
    assertThat(nanoseconds).isEqualTo(row.nanoseconds());
    if (nanoseconds != null) {
      assertThat(Durations.text(nanoseconds)).isEqualTo(row.printed());
    }
  }

  @Test
  void timesAreUtcWithAFixedNumberOfDecimals() {
    Instant time = Instant.parse("2026-11-15T06:00:00.1234567Z");
    assertThat(Times.seconds(time)).isEqualTo("2026-11-15T06:00:00Z");
    assertThat(Times.microseconds(time)).isEqualTo("2026-11-15T06:00:00.123456Z");
    assertThat(Times.parse("2026-11-15T07:00:00.1234567+01:00")).isEqualTo(time);
  }

  @Test
  void otherTextsAreNoTimes() {
    assertThat(Times.parse("2026-11-15")).isNull();
    assertThat(Times.parse("2026-13-15T07:00:00Z")).isNull();
    assertThat(Times.parse("+99999-01-01T00:00:00Z")).isNull();
  }
}
