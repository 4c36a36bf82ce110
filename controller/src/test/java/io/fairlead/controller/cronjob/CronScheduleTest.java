package io.fairlead.controller.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
  record Row(String name, String schedule, String zone, String from, String next) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    String from = "2026-01-15T10:07:30Z"; // a Thursday
    return Stream.of(
        new Row("every minute", "* * * * *", "UTC", from, "2026-01-15T10:08:00Z"),
        new Row("steps", "*/15 * * * *", "UTC", from, "2026-01-15T10:15:00Z"),
        new Row("steps from a number", "5/20 * * * *", "UTC", from, "2026-01-15T10:25:00Z"),
        new Row("a list", "3,9,40 * * * *", "UTC", from, "2026-01-15T10:09:00Z"),
        new Row("an hour of the next day", "0 9 * * *", "UTC", from, "2026-01-16T09:00:00Z"),
        new Row("days of the week by name", "0 9 * * sat-sat", "UTC", from, "2026-01-17T09:00:00Z"),
        new Row("a month by name", "0 0 1 mar *", "UTC", from, "2026-03-01T00:00:00Z"),
        new Row("day or weekday", "0 0 20 * 5", "UTC", from, "2026-01-16T00:00:00Z"),
        new Row("leap day", "0 0 29 2 *", "UTC", from, "2028-02-29T00:00:00Z"),
        new Row("a day that never comes", "0 0 30 2 *", "UTC", from, ""),
        new Row("a zone", "0 9 * * *", "Asia/Tokyo", from, "2026-01-16T00:00:00Z"),
        new Row("hourly", "@hourly", "UTC", from, "2026-01-15T11:00:00Z"),
        new Row("weekly", "@weekly", "UTC", from, "2026-01-18T00:00:00Z"),
        new Row("a period", "@every 1h30m", "UTC", from, "2026-01-15T11:37:30Z"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void rows(Row row) {
    assertThat(
            CronSchedule.parse(row.schedule())
                .after(Instant.parse(row.from()), ZoneId.of(row.zone()))
                .map(Instant::toString)
                .orElse(""))
        .isEqualTo(row.next());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "* * * *", "60 * * * *", "* * * * 7", "5-2 * * * *", "*/0 * * * *"})
  void whatIsNoScheduleIsRefused(String text) {
    assertThatThrownBy(() -> CronSchedule.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  record Plan(String name, String since, String now, String due, int missed) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Plan> plans() {
    return Stream.of(
        new Plan("not yet", "2026-01-15T10:00:30Z", "2026-01-15T10:00:50Z", "", 0),
        new Plan("now", "2026-01-15T10:00:30Z", "2026-01-15T10:01:10Z", "2026-01-15T10:01:00Z", 1),
        new Plan(
            "of several the last",
            "2026-01-15T10:00:30Z",
            "2026-01-15T10:05:10Z",
            "2026-01-15T10:05:00Z",
            5),
        new Plan(
            "after a long time still the last",
            "2026-01-10T10:00:30Z",
            "2026-01-15T10:05:10Z",
            "2026-01-15T10:05:00Z",
            CronPlan.TOO_MANY + 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void plans(Plan row) {
    CronPlan plan =
        CronPlan.of(
            CronSchedule.parse("* * * * *"),
            ZoneId.of("UTC"),
            Instant.parse(row.since()),
            Instant.parse(row.now()));
    assertThat(plan.due().map(Instant::toString).orElse("")).isEqualTo(row.due());
    assertThat(plan.missed()).isEqualTo(row.missed());
    assertThat(plan.next()).isPresent();
  }
}
