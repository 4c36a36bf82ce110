package io.fairlead.controller.endpointslice;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.time.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// How long the look at a Service is put off when its pods change, so that changes that follow come
/// together. Changes of the Service itself never wait.
public sealed interface Batching {
  /// The first change after a quiet time is looked at once; those that follow within the window are
  /// merged.
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
    /// @param next before this, changes wait for it
    /// @param waiting some do
    private record Slot(long next, boolean waiting) {}

    private final Batching batching;
    private final Ticker ticker;
    private final Map<ObjectKey, Slot> slots = new ConcurrentHashMap<>();

    Clock(Batching batching, Ticker ticker) {
      this.batching = batching;
      this.ticker = ticker;
    }

    /// How long a change that came now has to wait.
    Duration wait(ObjectKey service) {
      return switch (batching) {
        case Delay(Duration period) -> period;
        case LeadingEdge(Duration window) -> {
          long now = ticker.nanos();
          Slot slot = slots.compute(service, (_, old) -> next(old, now, window.toNanos()));
          yield slot.waiting() ? Duration.ofNanos(slot.next() - now) : Duration.ZERO;
        }
      };
    }

    /// The shortest wait for changes that somebody else made to a slice.
    Duration atLeast(Duration least) {
      return batching instanceof Delay(Duration period) && period.compareTo(least) > 0
          ? period
          : least;
    }

    void forget(ObjectKey service) {
      slots.remove(service);
    }

    private static Slot next(@org.jspecify.annotations.Nullable Slot old, long now, long window) {
      if (old == null) {
        return new Slot(now + window, false);
      }
      // Changes that waited were looked at when their time came: a new window began then.
      long opens = old.waiting() && now - old.next() >= 0 ? old.next() + window : old.next();
      return now - opens >= 0 ? new Slot(now + window, false) : new Slot(opens, true);
    }
  }
}
