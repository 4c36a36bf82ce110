package io.fairlead.api.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// An amount of a resource: `100m` of a processor, `1Gi` of memory.
///
/// One amount has many spellings (`1000m`, `1`, `1.0`); [#toString] gives the canonical one, in
/// which objects are stored: no fraction, the largest suffix that needs none, and the family of
/// suffixes (`Ki`, `k` or `e3`) that was read. Precision ends at a billionth, smaller remains are
/// rounded up; amounts beyond 2^63-1 are cut to it.
///
/// Equality is that of the canonical text, [#compareTo] compares amounts: `1Ki` and `1024` compare
/// as 0 but are not equal.
public final class Quantity implements Comparable<Quantity> {
  /// The error for a text that is no quantity.
  public static final String PATTERN_PROBLEM =
      "quantities must match the regular expression"
          + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

  // Before ZERO, whose constructor needs it.
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Suffixes.DECIMAL);

  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
  private static final BigInteger KIBI_STEP = BigInteger.valueOf(1024);
  private static final BigInteger KILO_STEP = BigInteger.valueOf(1000);
  private static final String DECIMAL_SUFFIXES = "num kMGTPE";
  private static final String BINARY_SUFFIXES = "KMGTPE";
  private static final int UNIT = DECIMAL_SUFFIXES.indexOf(' ');
  private static final int NANO_DIGITS = 9;
  private static final int LONGEST = 128;
  private static final int EXPONENT_MAX = 1000;

  private enum Suffixes {
    DECIMAL,
    BINARY,
    EXPONENT
  }

  private final BigDecimal amount;
  private final Suffixes suffixes;

  private Quantity(BigDecimal amount, Suffixes suffixes) {
    BigDecimal rounded =
        amount.scale() > NANO_DIGITS ? amount.setScale(NANO_DIGITS, RoundingMode.UP) : amount;
    this.amount =
        rounded.compareTo(MAX) > 0
            ? MAX
            : rounded.compareTo(MAX.negate()) < 0 ? MAX.negate() : rounded;
    this.suffixes = suffixes;
  }

  public static Quantity of(long value) {
    return new Quantity(BigDecimal.valueOf(value), Suffixes.DECIMAL);
  }

  /// Thousandths, as processors are counted.
  public static Quantity ofMillis(long millis) {
    return new Quantity(BigDecimal.valueOf(millis, 3), Suffixes.DECIMAL);
  }

  /// Reads a quantity that is known to be valid; IllegalArgumentException otherwise.
  public static Quantity parse(String text) {
    Quantity quantity = parseOrNull(text);
    if (quantity == null) {
      throw new IllegalArgumentException(PATTERN_PROBLEM);
    }
    return quantity;
  }

  /// Reads a quantity, or null when the text is none.
  public static @Nullable Quantity parseOrNull(String text) {
    if (text.length() > LONGEST) {
      return null;
    }
    int end = numberEnd(text);
    BigDecimal number = number(text.substring(0, end));
    return number == null ? null : scaled(number, text.substring(end));
  }

  /// The canonical spelling of a text, or null when it is no quantity.
  public static @Nullable String canonical(String text) {
    if (isPlainInteger(text)) {
      return text;
    }
    Quantity quantity = parseOrNull(text);
    return quantity == null ? null : quantity.toString();
  }

  // Most quantities in objects are short numbers that print as they are read.
  private static boolean isPlainInteger(String text) {
    if (text.isEmpty() || text.length() > 15 || (text.length() > 1 && text.charAt(0) == '0')) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.endsWith("000");
  }

  private static int numberEnd(String text) {
    int end = 0;
    if (!text.isEmpty() && (text.charAt(0) == '+' || text.charAt(0) == '-')) {
      end++;
    }
    while (end < text.length()
        && (text.charAt(end) == '.' || (text.charAt(end) >= '0' && text.charAt(end) <= '9'))) {
      end++;
    }
    return end;
  }

  private static @Nullable BigDecimal number(String digits) {
    int dot = digits.indexOf('.');
    boolean someDigit = digits.chars().anyMatch(c -> c >= '0' && c <= '9');
    if (!someDigit || dot != digits.lastIndexOf('.')) {
      return null;
    }
    return new BigDecimal(digits);
  }

  private static @Nullable Quantity scaled(BigDecimal number, String suffix) {
    if (suffix.isEmpty()) {
      return new Quantity(number, Suffixes.DECIMAL);
    }
    if (suffix.length() == 2 && suffix.charAt(1) == 'i') {
      int power = BINARY_SUFFIXES.indexOf(suffix.charAt(0)) + 1;
      return power == 0 ? null : new Quantity(number.multiply(KIBI.pow(power)), Suffixes.BINARY);
    }
    if (suffix.length() == 1 && suffix.charAt(0) != ' ') {
      int place = DECIMAL_SUFFIXES.indexOf(suffix.charAt(0));
      return place < 0
          ? null
          : new Quantity(number.scaleByPowerOfTen(3 * (place - UNIT)), Suffixes.DECIMAL);
    }
    if (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E') {
      Integer exponent = exponent(suffix.substring(1));
      return exponent == null
          ? null
          : new Quantity(number.scaleByPowerOfTen(exponent), Suffixes.EXPONENT);
    }
    return null;
  }

  /// Bounded, so that `1e999999999` does not build a number of that length; beyond the bound every
  /// amount is cut or rounded up alike.
  private static @Nullable Integer exponent(String text) {
    int start = text.startsWith("+") || text.startsWith("-") ? 1 : 0;
    if (start == text.length()) {
      return null;
    }
    int value = 0;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return null;
      }
      value = Math.min(value * 10 + c - '0', EXPONENT_MAX);
    }
    return text.startsWith("-") ? -value : value;
  }

  public Quantity plus(Quantity other) {
    return new Quantity(amount.add(other.amount), isZero() ? other.suffixes : suffixes);
  }

  public Quantity minus(Quantity other) {
    return new Quantity(amount.subtract(other.amount), isZero() ? other.suffixes : suffixes);
  }

  public boolean isZero() {
    return amount.signum() == 0;
  }

  /// -1, 0 or 1.
  public int signum() {
    return amount.signum();
  }

  /// The amount in whole units, rounded up.
  public long value() {
    return amount.setScale(0, RoundingMode.UP).longValueExact();
  }

  /// The amount in thousandths, rounded up; at most `Long.MAX_VALUE`.
  public long milliValue() {
    BigDecimal millis = amount.movePointRight(3).setScale(0, RoundingMode.UP);
    return millis.min(MAX).max(MAX.negate()).longValueExact();
  }

  /// The same amount in whole thousandths, rounded up.
  public Quantity roundedToMillis() {
    return amount.scale() <= 3 ? this : new Quantity(amount.setScale(3, RoundingMode.UP), suffixes);
  }

  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Quantity that && toString().equals(that.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /// The canonical text, see the class.
  @Override
  public String toString() {
    if (isZero()) {
      return "0";
    }
    boolean small = amount.abs().compareTo(KIBI) < 0;
    return suffixes == Suffixes.BINARY && !small ? binary() : decimal();
  }

  private String binary() {
    BigInteger number = amount.setScale(0, RoundingMode.UP).toBigIntegerExact();
    int power = 0;
    while (power < BINARY_SUFFIXES.length() && number.mod(KIBI_STEP).signum() == 0) {
      number = number.divide(KIBI_STEP);
      power++;
    }
    return power == 0
        ? number.toString()
        : number + BINARY_SUFFIXES.substring(power - 1, power) + "i";
  }

  private String decimal() {
    BigInteger number = amount.setScale(NANO_DIGITS, RoundingMode.UNNECESSARY).unscaledValue();
    int place = 0;
    while (place < DECIMAL_SUFFIXES.length() - 1 && number.mod(KILO_STEP).signum() == 0) {
      number = number.divide(KILO_STEP);
      place++;
    }
    if (place == UNIT) {
      return number.toString();
    }
    return suffixes == Suffixes.EXPONENT
        ? number + "e" + 3 * (place - UNIT)
        : number + DECIMAL_SUFFIXES.substring(place, place + 1);
  }
}
