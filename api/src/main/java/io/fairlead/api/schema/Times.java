package io.fairlead.api.schema;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// Points in time as Kubernetes prints them: RFC 3339, UTC, whole seconds or six decimals.
public final class Times {
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Times() {}

  /// `2026-11-15T06:00:00Z`: what `metav1.Time` looks like.
  public static String seconds(Instant time) {
    return SECONDS.format(time.truncatedTo(ChronoUnit.SECONDS));
  }

  /// `2026-11-15T06:00:00.000000Z`: what `metav1.MicroTime` looks like.
  public static String microseconds(Instant time) {
    return MICROSECONDS.format(time.truncatedTo(ChronoUnit.MICROS));
  }

  /// Reads either form with any offset, or gives null.
  public static @Nullable Instant parse(String text) {
    if (text.length() < 20 || text.length() > 40) {
      return null;
    }
    try {
      Instant time = OffsetDateTime.parse(text).toInstant();
      return isPrintable(time) ? time : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /// Whether the seconds have exactly six decimals, without which no `MicroTime` is read.
  static boolean hasMicroseconds(String text) {
    if (text.length() < 27 || text.charAt(19) != '.') {
      return false;
    }
    for (int at = 20; at < 26; at++) {
      if (text.charAt(at) < '0' || text.charAt(at) > '9') {
        return false;
      }
    }
    return text.charAt(26) < '0' || text.charAt(26) > '9';
  }

  /// Whether the year has four digits, as RFC 3339 demands.
  public static boolean isPrintable(Instant time) {
    return !time.isBefore(FIRST) && !time.isAfter(LAST);
  }
}
