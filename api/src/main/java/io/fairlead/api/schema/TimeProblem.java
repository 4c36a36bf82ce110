package io.fairlead.api.schema;

import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.util.Locale;

/// Says what is wrong with a text that is no RFC 3339 time, in the words of Go's `time.Parse`.
///
/// How it works: the text is read along the layout, one piece at a time. The first piece that does
/// not fit is named with the rest of the text; a number that is out of range is named without.
final class TimeProblem {
  private static final String SECONDS = "2006-01-02T15:04:05Z07:00";
  private static final String MICROSECONDS = "2006-01-02T15:04:05.000000Z07:00";

  private final String text;
  private final String layout;
  private int at;
  private int year;
  private int month;
  // Checked when all else was read.
  private boolean dayIsBad;

  private TimeProblem(String text, String layout) {
    this.text = text;
    this.layout = layout;
  }

  static String of(String text, boolean microseconds) {
    return new TimeProblem(text, microseconds ? MICROSECONDS : SECONDS).find();
  }

  private String find() {
    String problem = date();
    if (problem.isEmpty()) {
      problem = clock();
    }
    return problem.isEmpty() ? "parsing time " + quoted(text) + ": not a time" : problem;
  }

  private String date() {
    int begin = at;
    year = number(4);
    if (year < 0) {
      return cannot(begin, "2006");
    }
    if (!literal('-')) {
      return cannot(at, "-");
    }
    begin = at;
    month = number(2);
    if (month < 0) {
      return cannot(begin, "01");
    }
    if (month == 0 || month > 12) {
      return outOfRange("month");
    }
    if (!literal('-')) {
      return cannot(at, "-");
    }
    begin = at;
    int day = number(2);
    if (day < 0) {
      return cannot(begin, "02");
    }
    if (!literal('T')) {
      return cannot(at, "T");
    }
    dayIsBad = day == 0 || day > YearMonth.of(year, month).lengthOfMonth();
    return "";
  }

  private String clock() {
    int begin = at;
    int hour = number(2);
    if (hour < 0) {
      return cannot(begin, "15");
    }
    if (hour > 23) {
      return outOfRange("hour");
    }
    for (String unit : new String[] {"04", "05"}) {
      if (!literal(':')) {
        return cannot(at, ":");
      }
      begin = at;
      int value = number(2);
      if (value < 0) {
        return cannot(begin, unit);
      }
      if (value > 59) {
        return outOfRange(unit.equals("04") ? "minute" : "second");
      }
    }
    return fractionAndZone();
  }

  private String fractionAndZone() {
    int begin = at;
    int digits = fraction();
    if (layout.equals(MICROSECONDS) && digits != 6) {
      return cannot(begin, ".000000");
    }
    begin = at;
    if (literal('Z')) {
      return at < text.length()
          ? "parsing time " + quoted(text) + ": extra text: " + quoted(text.substring(at))
          : dayIsBad ? outOfRange("day") : "";
    }
    boolean signed = literal('+') || literal('-');
    if (!signed || number(2) < 0 || !literal(':') || number(2) < 0) {
      return cannot(begin, "Z07:00");
    }
    return dayIsBad ? outOfRange("day") : "";
  }

  /// How many decimals follow; goes behind them.
  private int fraction() {
    int end = at;
    if (end < text.length() && text.charAt(end) == '.') {
      end++;
      while (end < text.length() && isDigit(text.charAt(end))) {
        end++;
      }
    }
    int digits = Math.max(0, end - at - 1);
    if (digits > 0) {
      at = end;
    }
    return digits;
  }

  private int number(int digits) {
    if (at + digits > text.length()) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < digits; i++) {
      char c = text.charAt(at + i);
      if (!isDigit(c)) {
        return -1;
      }
      value = value * 10 + c - '0';
    }
    at += digits;
    return value;
  }

  private boolean literal(char c) {
    boolean there = at < text.length() && text.charAt(at) == c;
    if (there) {
      at++;
    }
    return there;
  }

  private String cannot(int begin, String piece) {
    return "parsing time "
        + quoted(text)
        + " as "
        + quoted(layout)
        + ": cannot parse "
        + quoted(text.substring(begin))
        + " as "
        + quoted(piece);
  }

  private String outOfRange(String what) {
    return "parsing time " + quoted(text) + ": " + what + " out of range";
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /// Go shows what is not ASCII byte by byte here, unlike elsewhere.
  private static String quoted(String text) {
    StringBuilder shown = new StringBuilder("\"");
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      if (one == '"' || one == '\\') {
        shown.append('\\').append((char) one);
      } else if (one < ' ') {
        shown.append(String.format(Locale.ROOT, "\\x%02x", one & 0xff));
      } else {
        shown.append((char) one);
      }
    }
    return shown.append('"').toString();
  }
}
