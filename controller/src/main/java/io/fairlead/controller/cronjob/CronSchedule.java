package io.fairlead.controller.cronjob;

import io.fairlead.api.schema.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Points in time in cron's notation: `*/5 * * * 1-5`, `@daily`, `@every 90s`. Immutable.
///
/// How it works: each of the five fields is a set of numbers. The next time is found by moving the
/// field that does not fit, from month to minute, to its next value. When day of month and day of
/// week are both restricted, one of them is enough.
///
/// @param every the period of `@every`; empty for the five fields
record CronSchedule(
    List<BitSet> fields, boolean anyDay, boolean anyWeekday, Optional<Duration> every) {
  private static final Map<String, String> DESCRIPTORS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");
  private static final String EVERY = "@every ";
  private static final int[] LEAST = {0, 0, 1, 1, 0};
  private static final int[] MOST = {59, 23, 31, 12, 6};
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

  /// A schedule that has no time within so many years never has one (30 February).
  private static final int YEARS = 5;

  /// @throws IllegalArgumentException for what is no schedule
  static CronSchedule parse(String text) {
    if (text.startsWith(EVERY)) {
      Long period = Durations.nanoseconds(text.substring(EVERY.length()));
      if (period == null) {
        throw new IllegalArgumentException("not a duration: " + text);
      }
      // Whole seconds, at least one.
      long seconds = Math.max(1, Duration.ofNanos(period).toSeconds());
      return new CronSchedule(List.of(), true, true, Optional.of(Duration.ofSeconds(seconds)));
    }
    String[] parts = DESCRIPTORS.getOrDefault(text.strip(), text.strip()).split("\\s+");
    if (parts.length != LEAST.length) {
      throw new IllegalArgumentException("expected exactly 5 fields, found " + parts.length);
    }
    List<BitSet> fields = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      fields.add(field(parts[i], i));
    }
    return new CronSchedule(fields, isAny(parts[2]), isAny(parts[4]), Optional.empty());
  }

  private static boolean isAny(String field) {
    return field.startsWith("*") || field.startsWith("?");
  }

  private static BitSet field(String text, int which) {
    BitSet set = new BitSet();
    for (String range : text.split(",")) {
      String[] parts = range.split("/", -1);
      String[] ends = parts[0].split("-", -1);
      boolean any = isAny(ends[0]);
      int step = parts.length == 2 ? Integer.parseInt(parts[1]) : 1;
      int begin = any ? LEAST[which] : number(ends[0], which);
      int end =
          any || (ends.length == 1 && parts.length == 2)
              ? MOST[which]
              : number(ends[ends.length - 1], which);
      if (step <= 0 || begin < LEAST[which] || end > MOST[which] || begin > end) {
        throw new IllegalArgumentException("not a range of this field: " + range);
      }
      for (int value = begin; value <= end; value += step) {
        set.set(value);
      }
    }
    return set;
  }

  private static int number(String text, int which) {
    String word = text.toLowerCase(Locale.ROOT);
    if (which == 3 && MONTHS.contains(word)) {
      return MONTHS.indexOf(word) + 1;
    }
    if (which == 4 && DAYS.contains(word)) {
      return DAYS.indexOf(word);
    }
    return Integer.parseInt(text);
  }

  /// The first time after that one; empty when there is none.
  Optional<Instant> after(Instant moment, ZoneId zone) {
    if (every.isPresent()) {
      return Optional.of(moment.truncatedTo(ChronoUnit.SECONDS).plus(every.get()));
    }
    ZonedDateTime time = moment.atZone(zone).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    int lastYear = time.getYear() + YEARS;
    while (time.getYear() <= lastYear) {
      if (!fields.get(3).get(time.getMonthValue())) {
        time = time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1).plusMonths(1);
      } else if (!fitsDay(time)) {
        time = time.truncatedTo(ChronoUnit.DAYS).plusDays(1);
      } else if (!fields.get(1).get(time.getHour())) {
        time = time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
      } else if (!fields.get(0).get(time.getMinute())) {
        time = time.plusMinutes(1);
      } else {
        return Optional.of(time.toInstant());
      }
    }
    return Optional.empty();
  }

  private boolean fitsDay(ZonedDateTime time) {
    boolean day = fields.get(2).get(time.getDayOfMonth());
    boolean weekday = fields.get(4).get(time.getDayOfWeek().getValue() % 7);
    return (anyDay || anyWeekday) ? day && weekday : day || weekday;
  }
}
