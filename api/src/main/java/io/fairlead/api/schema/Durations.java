package io.fairlead.api.schema;

import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Durations as Go writes them: `1h30m`, `250ms`, `1.5s`.
public final class Durations {
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  private static final int MAX_LENGTH = 64;

  /// So many digits of any unit fit into a long.
  private static final int EASY_DIGITS = 6;

  private Durations() {}

  public static boolean isDuration(String text) {
    return nanoseconds(text) != null;
  }

  /// The length in nanoseconds, or null when the text is no duration.
  public static @Nullable Long nanoseconds(String text) {
    boolean negative = text.startsWith("-");
    int at = negative || text.startsWith("+") ? 1 : 0;
    if (text.length() > MAX_LENGTH || at == text.length()) {
      return null;
    }
    if (text.substring(at).equals("0")) {
      return 0L;
    }
    long easy = whole(text, at);
    if (easy >= 0) {
      return negative ? -easy : easy;
    }
    BigDecimal total = BigDecimal.ZERO;
    while (at < text.length()) {
      int number = end(text, at, true);
      int unit = end(text, number, false);
      Long factor = UNITS.get(text.substring(number, unit));
      BigDecimal amount = amount(text.substring(at, number));
      if (factor == null || amount == null) {
        return null;
      }
      total = total.add(amount.multiply(BigDecimal.valueOf(factor)));
      at = unit;
    }
    if (total.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      return null;
    }
    return negative ? -total.longValue() : total.longValue();
  }

  /// The sum of small whole amounts, or -1 where exact arithmetic has to decide: its first use
  /// takes ten milliseconds, and commands read durations when they start.
  private static long whole(String text, int from) {
    long total = 0;
    int at = from;
    while (at < text.length()) {
      int number = end(text, at, true);
      int unit = end(text, number, false);
      Long factor = UNITS.get(text.substring(number, unit));
      if (factor == null || number == at || number - at > EASY_DIGITS) {
        return -1;
      }
      if (text.substring(at, number).indexOf('.') >= 0) {
        return -1;
      }
      long amount = Long.parseLong(text, at, number, 10) * factor;
      if (total > Long.MAX_VALUE - amount) {
        return -1;
      }
      total += amount;
      at = unit;
    }
    return total;
  }

  /// The text of a length: hours, minutes and seconds; below a second the largest fitting unit.
  public static String text(long nanoseconds) {
    if (nanoseconds == 0) {
      return "0s";
    }
    BigDecimal left = BigDecimal.valueOf(nanoseconds).abs();
    String sign = nanoseconds < 0 ? "-" : "";
    for (String unit : new String[] {"ns", "µs", "ms"}) {
      if (left.compareTo(BigDecimal.valueOf(unit(unit) * 1000)) < 0) {
        return sign + plain(left, unit) + unit;
      }
    }
    BigDecimal[] hours = left.divideAndRemainder(BigDecimal.valueOf(unit("h")));
    BigDecimal[] minutes = hours[1].divideAndRemainder(BigDecimal.valueOf(unit("m")));
    boolean anyHours = hours[0].signum() > 0;
    return sign
        + (anyHours ? hours[0].toBigInteger() + "h" : "")
        + (anyHours || minutes[0].signum() > 0 ? minutes[0].toBigInteger() + "m" : "")
        + plain(minutes[1], "s")
        + "s";
  }

  private static long unit(String name) {
    return UNITS.getOrDefault(name, 1L);
  }

  private static String plain(BigDecimal nanoseconds, String unit) {
    BigDecimal value = nanoseconds.divide(BigDecimal.valueOf(unit(unit)));
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  private static @Nullable BigDecimal amount(String text) {
    long dots = text.chars().filter(c -> c == '.').count();
    return dots > 1 || text.length() == dots ? null : new BigDecimal(text);
  }

  private static int end(String text, int start, boolean number) {
    int at = start;
    while (at < text.length() && isNumber(text.charAt(at)) == number) {
      at++;
    }
    return at;
  }

  private static boolean isNumber(char c) {
    return (c >= '0' && c <= '9') || c == '.';
  }
}
