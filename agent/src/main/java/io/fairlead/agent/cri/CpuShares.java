package io.fairlead.agent.cri;

/// Amounts of processor time in the units of the kernel. Pure.
public final class CpuShares {
  /// In which a quota may be used up, in microseconds.
  public static final long PERIOD = 100_000;

  private static final long LEAST_SHARES = 2;
  private static final long MOST_SHARES = 262_144;
  private static final long LEAST_QUOTA = 1_000;

  private CpuShares() {}

  /// The weight among others when the processors are busy.
  ///
  /// @param millis thousandths of a core; 0 for the least weight
  public static long shares(long millis) {
    return Math.clamp(millis * 1024 / 1000, LEAST_SHARES, MOST_SHARES);
  }

  /// The microseconds in each [#PERIOD]; 0 for no limit.
  ///
  /// @param millis thousandths of a core; 0 for no limit
  public static long quota(long millis) {
    return millis <= 0 ? 0 : Math.max(LEAST_QUOTA, millis * PERIOD / 1000);
  }

  /// The same weight on the scale of control groups version 2.
  public static long weight(long shares) {
    return 1 + (shares - LEAST_SHARES) * 9999 / (MOST_SHARES - LEAST_SHARES);
  }
}
