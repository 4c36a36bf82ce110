package io.fairlead.controller.endpointslice;

import io.fairlead.client.ObjectKey;
import io.fairlead.controller.runtime.BurstRateLimiter;
import io.fairlead.work.Ticker;
import java.time.Duration;

/// How long the look at a Service is put off when its pods change, so that changes that follow come
/// together. Changes of the Service itself never wait.
public sealed interface Batching {
  /// The first change after a quiet time is looked at once; those that follow are merged, the more
  /// of them the longer: see [BurstRateLimiter].
  ///
  /// @param window the longest a change waits
  record LeadingEdge(Duration window) implements Batching {}

  /// Every change waits that long, as with `endpointslice-updates-batch-period`. Zero: none waits.
  record Delay(Duration period) implements Batching {}

  Batching STANDARD = new LeadingEdge(Duration.ofMillis(250));

  /// What a period given on the command line means: zero is the original's way, every change at
  /// once.
  static Batching of(Duration period) {
    return period.isZero() ? new Delay(period) : new LeadingEdge(period);
  }

  /// Tells each Service's changes when to be looked at. Safe for any threads.
  final class Clock {
    private final Duration always;
    private final BurstRateLimiter<ObjectKey> bursts;

    Clock(Batching batching, Ticker ticker) {
      this.always = batching instanceof Delay(Duration period) ? period : Duration.ZERO;
      this.bursts =
          new BurstRateLimiter<>(
              batching instanceof LeadingEdge(Duration window) ? window : Duration.ZERO, ticker);
    }

    /// How long a change that came now has to wait.
    Duration wait(ObjectKey service) {
      return atLeast(bursts.delay(service));
    }

    /// The shortest wait for changes that another client made to a slice.
    Duration atLeast(Duration least) {
      return always.compareTo(least) > 0 ? always : least;
    }

    /// The Service is looked at now.
    void ran(ObjectKey service) {
      bursts.ran(service);
    }

    void forget(ObjectKey service) {
      bursts.forget(service);
    }
  }
}
