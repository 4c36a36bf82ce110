package io.fairlead.server.limits;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The moment until which a request must be answered.
public final class Deadline {
  public static final Deadline NONE = new Deadline(Long.MAX_VALUE, false);

  private final long nanos;
  private final boolean bounded;

  private Deadline(long nanos, boolean bounded) {
    this.nanos = nanos;
    this.bounded = bounded;
  }

  public static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos(), true);
  }

  public boolean isOver() {
    return bounded && System.nanoTime() - nanos >= 0;
  }

  /// How much time there is, but never more than that.
  public Duration left(Duration most) {
    if (!bounded) {
      return most;
    }
    Duration left = Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    return left.compareTo(most) < 0 ? left : most;
  }

  /// Throws 504 when the time is over; loops ask before each round.
  public void check() {
    if (isOver()) {
      throw timeout();
    }
  }

  /// The 504 of a request that took too long.
  public static ApiException timeout() {
    return new ApiException(
        Status.of(504, "Timeout", "Timeout: request did not complete within the allotted timeout"));
  }

  /// The failure that a watchdog puts into a request body that is still being read.
  static final class Exceeded extends java.io.IOException {
    private static final long serialVersionUID = 1L;

    Exceeded() {
      super("the request took too long");
    }
  }

  static boolean isExceeded(@Nullable Throwable problem) {
    for (Throwable at = problem; at != null; at = at.getCause()) {
      if (at instanceof Exceeded) {
        return true;
      }
    }
    return false;
  }
}
