package io.fairlead.server.cel;

import static io.fairlead.server.cel.CelType.DURATION;
import static io.fairlead.server.cel.CelType.INT;
import static io.fairlead.server.cel.CelType.STRING;
import static io.fairlead.server.cel.CelType.TIMESTAMP;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.function.ToLongFunction;

/// The parts of times and durations.
final class TimeFunctions {
  private TimeFunctions() {}

  static void addTo(CelFunctions all) {
    part(all, "getFullYear", ZonedDateTime::getYear);
    part(all, "getMonth", time -> time.getMonthValue() - 1L);
    part(all, "getDate", ZonedDateTime::getDayOfMonth);
    part(all, "getDayOfMonth", time -> time.getDayOfMonth() - 1L);
    part(all, "getDayOfYear", time -> time.getDayOfYear() - 1L);
    part(all, "getDayOfWeek", time -> time.getDayOfWeek().getValue() % 7L);
    part(all, "getHours", ZonedDateTime::getHour);
    part(all, "getMinutes", ZonedDateTime::getMinute);
    part(all, "getSeconds", ZonedDateTime::getSecond);
    part(all, "getMilliseconds", time -> time.getNano() / 1_000_000L);
    length(all, "getHours", Duration::toHours);
    length(all, "getMinutes", Duration::toMinutes);
    length(all, "getSeconds", Duration::toSeconds);
    length(all, "getMilliseconds", Duration::toMillis);
  }

  private static void part(CelFunctions all, String name, ToLongFunction<ZonedDateTime> part) {
    all.method(
        name,
        INT,
        List.of(TIMESTAMP),
        one -> part.applyAsLong(((Instant) one.get(0)).atZone(ZoneOffset.UTC)));
    all.method(
        name,
        INT,
        List.of(TIMESTAMP, STRING),
        both -> part.applyAsLong(((Instant) both.get(0)).atZone(zone((String) both.get(1)))));
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(Character.isDigit((name + " ").charAt(0)) ? "+" + name : name);
    } catch (DateTimeException e) {
      throw new CelEvaluationException("unknown time zone " + name);
    }
  }

  private static void length(CelFunctions all, String name, ToLongFunction<Duration> part) {
    all.method(name, INT, List.of(DURATION), one -> part.applyAsLong((Duration) one.get(0)));
  }
}
