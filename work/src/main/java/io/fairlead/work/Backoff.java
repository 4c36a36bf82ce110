package io.fairlead.work;

import java.time.Duration;

/// Waits that double with each failure in a row, up to a limit.
public record Backoff(Duration first, Duration most) {
  private static final int MAX_SHIFT = 40;

  /// The wait after so many failures before this one.
  public Duration after(int failures) {
    double nanos = first.toNanos() * Math.scalb(1.0, Math.min(failures, MAX_SHIFT));
    return nanos >= most.toNanos() ? most : Duration.ofNanos((long) nanos);
  }
}
