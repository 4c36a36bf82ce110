package io.fairlead.bench.report;

import java.util.Arrays;

/// Times of many like things.
public final class Samples {
  private final double[] sorted;

  public Samples(double[] values) {
    sorted = values.clone();
    Arrays.sort(sorted);
  }

  public int count() {
    return sorted.length;
  }

  /// The value below which that share of all lie: `0.5` is the median.
  public double quantile(double share) {
    return sorted.length == 0 ? Double.NaN : sorted[(int) ((sorted.length - 1) * share)];
  }
}
