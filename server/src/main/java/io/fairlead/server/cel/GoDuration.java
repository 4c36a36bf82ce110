package io.fairlead.server.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Lengths of time as Go writes them, `1h30m`.
final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns",
          1L,
          "us",
          1000L,
          "µs",
          1000L,
          "μs",
          1000L,
          "ms",
          1_000_000L,
          "s",
          1_000_000_000L,
          "m",
          60_000_000_000L,
          "h",
          3_600_000_000_000L);
  private static final int LONGEST = 100;

  private GoDuration() {}

  /// Null when the text is no duration or too long a one.
  static @Nullable Long nanoseconds(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return 0L;
    }
    if (rest.isEmpty() || rest.length() > LONGEST) {
      return null;
    }
    BigDecimal sum = BigDecimal.ZERO;
    Matcher matcher = PART.matcher(rest);
    int at = 0;
    while (at < rest.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        return null;
      }
      long unit = UNITS.getOrDefault(matcher.group(2), 1L);
      sum =
          sum.add(
              new BigDecimal("0" + matcher.group(1).replaceFirst("\\.$", ""))
                  .multiply(BigDecimal.valueOf(unit)));
      at = matcher.end();
    }
    if (sum.toBigInteger().bitLength() > 63) {
      return null;
    }
    long total = sum.longValue();
    return negative ? -total : total;
  }
}
