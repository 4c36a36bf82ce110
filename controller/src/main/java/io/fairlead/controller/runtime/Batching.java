package io.fairlead.controller.runtime;

import io.fairlead.client.time.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Merges bursts without delaying the first: an event after a quiet time is worked on at once,
/// those that follow within the period wait for its end and are one run. With a period of zero
/// nothing waits. Safe for any threads.
public final class Batching<K> {
  private final Duration period;
  private final Ticker ticker;
  private final Map<K, Long> lastRun = new ConcurrentHashMap<>();

  public Batching(Duration period, Ticker ticker) {
    this.period = period;
    this.ticker = ticker;
  }

  /// How long an event about that key has to wait; zero for not at all.
  public Duration delay(K key) {
    Long last = lastRun.get(key);
    if (last == null) {
      return Duration.ZERO;
    }
    long rest = last + period.toNanos() - ticker.nanos();
    return rest <= 0 ? Duration.ZERO : Duration.ofNanos(rest);
  }

  /// The key was worked on now.
  public void ran(K key) {
    if (!period.isZero()) {
      lastRun.put(key, ticker.nanos());
    }
  }

  /// The key's object is gone.
  public void forget(K key) {
    lastRun.remove(key);
  }
}
