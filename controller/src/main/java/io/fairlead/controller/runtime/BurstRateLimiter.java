package io.fairlead.controller.runtime;

import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Merges bursts without delaying what is rare. An event after a quiet period is worked on at once.
/// Every run is followed by a rest that gathers what comes meanwhile, each twice as long as the one
/// before, the longest as long as the period. So the steps of one pod's start do not wait for each
/// other, and a roll-out of thousands is a few runs a second. With a period of zero nothing waits.
/// Safe for any threads.
public final class BurstRateLimiter<K> {
  /// What part of the period the first rest is: long enough for events that were caused together.
  private static final int FIRST = 64;

  private record Run(long at, long rest) {}

  private final long period;
  private final Ticker ticker;
  private final Map<K, Run> runs = new ConcurrentHashMap<>();

  public BurstRateLimiter(Duration period, Ticker ticker) {
    this.period = period.toNanos();
    this.ticker = ticker;
  }

  /// How long an event about that key has to wait; zero for not at all.
  public Duration delay(K key) {
    Run last = runs.get(key);
    return last == null
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, last.at() + last.rest() - ticker.nanos()));
  }

  /// The key was worked on now.
  public void ran(K key) {
    if (period > 0) {
      long now = ticker.nanos();
      runs.compute(key, (_, last) -> new Run(now, rest(last, now)));
    }
  }

  private long rest(@Nullable Run last, long now) {
    if (last == null || now - last.at() - last.rest() >= period) {
      return period / FIRST;
    }
    return Math.min(period, last.rest() * 2);
  }

  /// The key's object is gone.
  public void forget(K key) {
    runs.remove(key);
  }
}
