package io.fairlead.client.informer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// How often each key was worked on in the last second, so that a key that is queued again and
/// again without an end cannot take a processor for itself.
///
/// How it works: time is cut into windows of a second. A key may be worked on [#BURST] times in a
/// window, far more often than real changes ask for; after that it rests until the window ends. A
/// key that has rested in one window gets only [#SUSTAINED] runs in the next. Only the keys of two
/// windows are kept.
///
/// Guarded by its owner's lock.
final class KeyRunRates<K> {
  static final int BURST = 200;
  static final int SUSTAINED = 10;
  private static final long WINDOW = TimeUnit.SECONDS.toNanos(1);

  private final Map<K, Integer> runs = new HashMap<>();
  private Set<K> hot = new HashSet<>();
  private Set<K> hotBefore = Set.of();
  private long began;

  /// A worker takes the key now.
  void ran(K key, long now) {
    turn(now);
    runs.merge(key, 1, Integer::sum);
  }

  /// How many nanoseconds the key has to rest; zero for not at all.
  long rest(K key, long now) {
    turn(now);
    int limit = hotBefore.contains(key) ? SUSTAINED : BURST;
    if (runs.getOrDefault(key, 0) < limit) {
      return 0;
    }
    hot.add(key);
    return began + WINDOW - now;
  }

  private void turn(long now) {
    if (now - began < WINDOW) {
      return;
    }
    hotBefore = now - began < 2 * WINDOW ? hot : Set.of();
    hot = new HashSet<>();
    runs.clear();
    began = now;
  }
}
