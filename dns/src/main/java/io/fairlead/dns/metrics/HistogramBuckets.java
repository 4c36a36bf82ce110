package io.fairlead.dns.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/// A histogram with fixed bounds.
final class HistogramBuckets {
  private final double[] bounds;
  private final LongAdder[] counts;
  private final LongAdder sum = new LongAdder();

  /// @param bounds upper ones, rising; the last bucket takes all above them
  HistogramBuckets(double[] bounds) {
    this.bounds = bounds;
    this.counts = new LongAdder[bounds.length + 1];
    Arrays.setAll(counts, _ -> new LongAdder());
  }

  /// @param exact the value in whatever whole unit the sum is kept
  void add(double value, long exact) {
    int i = 0;
    while (i < bounds.length && value > bounds[i]) {
      i++;
    }
    counts[i].increment();
    sum.add(exact);
  }

  long[] counts() {
    return Arrays.stream(counts).mapToLong(LongAdder::sum).toArray();
  }

  long sum() {
    return sum.sum();
  }

  double[] bounds() {
    return bounds.clone();
  }
}
