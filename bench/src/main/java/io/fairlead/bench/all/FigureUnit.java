package io.fairlead.bench.all;

import java.util.Locale;

/// What a figure counts, how it is printed, and which of two is the better one.
enum FigureUnit {
  MILLISECONDS,
  MICROSECONDS,
  MEGABYTES,
  PER_SECOND,
  COUNT;

  private static final double THOUSAND = 1000;
  private static final double DIGITS_FROM = 100;

  /// How many times better the first is than the second.
  double better(double ours, double original) {
    return this == PER_SECOND ? ours / original : original / ours;
  }

  String text(double value) {
    return switch (this) {
      case MILLISECONDS ->
          value >= THOUSAND ? number(value / THOUSAND) + " s" : number(value) + " ms";
      case MICROSECONDS ->
          value >= THOUSAND ? number(value / THOUSAND) + " ms" : number(value) + " µs";
      case MEGABYTES -> number(value) + " MB";
      case PER_SECOND -> number(value) + "/s";
      case COUNT -> String.format(Locale.ROOT, "%,.0f", value);
    };
  }

  /// Three digits that mean something.
  static String number(double value) {
    if (value >= DIGITS_FROM) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }
}
