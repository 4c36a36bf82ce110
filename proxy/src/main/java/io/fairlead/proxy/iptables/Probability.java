package io.fairlead.proxy.iptables;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// The share of a pick among those that are left, as rules write it.
final class Probability {
  private static final int DIGITS = 10;
  private static final double UNIT = 1L << 31;

  private Probability() {}

  /// `0.3333333333` for one of three.
  static String text(int left) {
    return BigDecimal.ONE
        .divide(BigDecimal.valueOf(left), DIGITS, RoundingMode.HALF_UP)
        .toPlainString();
  }

  /// The match for one of so many; empty for the last, which takes all.
  static String match(int left) {
    return left == 1 ? "" : " -m statistic --mode random --probability " + text(left);
  }

  /// The number the kernel keeps of a probability. The text the tool prints has more digits than
  /// the one it reads, so only this can be compared.
  static long kernel(String text) {
    return Math.round(Double.parseDouble(text) * UNIT);
  }
}
