package io.fairlead.app.command.inspect;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Locale;

/// Durations and times of day as people read them.
final class ShownTimes {
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;

  private ShownTimes() {}

  /// `41 ms`, `2.3 s`, `12m`, `3h12m`.
  static String duration(long millis) {
    if (millis < SECOND) {
      return millis + " ms";
    }
    if (millis < MINUTE) {
      return String.format(Locale.ROOT, "%.1f s", millis / (double) SECOND);
    }
    Duration whole = Duration.ofMillis(millis);
    return whole.toHours() == 0
        ? whole.toMinutes() + "m"
        : whole.toHours() + "h" + (whole.toMinutesPart() == 0 ? "" : whole.toMinutesPart() + "m");
  }

  /// `10:42:07`, with the date when that is not today.
  static String time(Instant at, Instant now) {
    ZoneId zone = ZoneId.systemDefault();
    LocalDateTime local = LocalDateTime.ofInstant(at, zone);
    boolean today = local.toLocalDate().equals(LocalDateTime.ofInstant(now, zone).toLocalDate());
    return (today ? "" : local.toLocalDate() + " ")
        + String.format(
            Locale.ROOT, "%02d:%02d:%02d", local.getHour(), local.getMinute(), local.getSecond());
  }
}
