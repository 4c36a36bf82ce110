package io.fairlead.app.review;

import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Remembers a few answers for a short time. Safe for any threads; the question itself is asked
/// outside of the lock, so two may ask it at once.
public final class ExpiringCache<K, V> {
  private static final int MOST = 1000;

  private record Answer<V>(V value, long until) {}

  private final Duration time;
  private final Ticker ticker;
  // Guarded by this; the oldest first.
  private final Map<K, Answer<V>> answers = new LinkedHashMap<>();

  public ExpiringCache(Duration time, Ticker ticker) {
    this.time = time;
    this.ticker = ticker;
  }

  public V get(K question, Supplier<V> ask) {
    synchronized (this) {
      Answer<V> known = answers.get(question);
      if (known != null && ticker.nanos() - known.until() < 0) {
        return known.value();
      }
    }
    V value = ask.get();
    synchronized (this) {
      answers.remove(question);
      answers.put(question, new Answer<>(value, ticker.nanos() + time.toNanos()));
      if (answers.size() > MOST) {
        Iterator<K> oldest = answers.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
    }
    return value;
  }
}
