package io.fairlead.server.resources.table;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// How long ago something was, in two units at most: `8m5s`, `9d`, `2y3d`.
public final class Age {
  private static final String UNKNOWN = "<unknown>";
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long YEAR = 365 * DAY;

  private Age() {}

  /// The age of an object by its creationTimestamp.
  public static String of(JsonNode object, Instant now) {
    return since(object.path("metadata").path("creationTimestamp"), now);
  }

  /// The time from a timestamp of an object until now; `<unknown>` when there is none.
  public static String since(JsonNode timestamp, Instant now) {
    Instant then = instant(timestamp);
    return then == null ? UNKNOWN : text(Duration.between(then, now));
  }

  /// The instant of a timestamp, or null when it is missing or no time.
  public static @Nullable Instant instant(JsonNode timestamp) {
    if (!timestamp.isString()) {
      return null;
    }
    try {
      return OffsetDateTime.parse(timestamp.stringValue()).toInstant();
    } catch (DateTimeException notATime) {
      return null;
    }
  }

  /// A duration, the larger the coarser. More than a second in the future is `<invalid>`.
  public static String text(Duration duration) {
    long seconds = duration.toMillis() / 1000;
    if (seconds < -1) {
      return "<invalid>";
    }
    if (seconds < 0) {
      return "0s";
    }
    if (seconds < 2 * MINUTE) {
      return seconds + "s";
    }
    if (seconds < 10 * MINUTE) {
      return pair(seconds / MINUTE, "m", seconds % MINUTE, "s");
    }
    if (seconds < 3 * HOUR) {
      return seconds / MINUTE + "m";
    }
    if (seconds < 8 * HOUR) {
      return pair(seconds / HOUR, "h", seconds % HOUR / MINUTE, "m");
    }
    if (seconds < 2 * DAY) {
      return seconds / HOUR + "h";
    }
    if (seconds < 8 * DAY) {
      return pair(seconds / DAY, "d", seconds % DAY / HOUR, "h");
    }
    if (seconds < 2 * YEAR) {
      return seconds / DAY + "d";
    }
    if (seconds < 8 * YEAR) {
      return pair(seconds / YEAR, "y", seconds % YEAR / DAY, "d");
    }
    return seconds / YEAR + "y";
  }

  private static String pair(long large, String largeUnit, long small, String smallUnit) {
    return small == 0 ? large + largeUnit : large + largeUnit + small + smallUnit;
  }
}
