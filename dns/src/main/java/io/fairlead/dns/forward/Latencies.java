package io.fairlead.dns.forward;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/// How long a server's last answers took. Safe for any thread.
final class Latencies {
  private static final int KEPT = 64;
  private static final int ENOUGH = 16;
  private static final double SHARE = 0.95;
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final long[] nanos = new long[KEPT];
  private int count;

  synchronized void add(long took) {
    nanos[count++ % KEPT] = took;
    if (count == 2 * KEPT) {
      count = KEPT;
    }
  }

  /// The time within which nineteen of twenty answers came; empty while too few are known.
  synchronized Optional<Duration> usual() {
    int known = Math.min(count, KEPT);
    if (known < ENOUGH) {
      return Optional.empty();
    }
    long[] sorted = Arrays.copyOf(nanos, known);
    Arrays.sort(sorted);
    Duration time = Duration.ofNanos(sorted[(int) (SHARE * (known - 1))]);
    return Optional.of(time.compareTo(SHORTEST) < 0 ? SHORTEST : time);
  }
}
