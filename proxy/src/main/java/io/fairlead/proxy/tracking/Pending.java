package io.fairlead.proxy.tracking;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The newest state of keyed things, and which of them differ from the state taken last. What
/// changes and changes back in between is no change. Not thread-safe.
final class Pending<K, V> {
  private final Map<K, V> current = new HashMap<>();
  private final Map<K, Before<V>> changed = new HashMap<>();

  private record Before<V>(@Nullable V value) {}

  /// Notes the newest state of a key; null: gone. Says whether this differs from what was known.
  boolean set(K key, @Nullable V now) {
    V known = current.get(key);
    if (Objects.equals(known, now)) {
      return false;
    }
    Before<V> before = changed.computeIfAbsent(key, _ -> new Before<>(known));
    if (Objects.equals(before.value, now)) {
      changed.remove(key);
    }
    if (now == null) {
      current.remove(key);
    } else {
      current.put(key, now);
    }
    return true;
  }

  @Nullable V get(K key) {
    return current.get(key);
  }

  Set<K> keys() {
    return Set.copyOf(current.keySet());
  }

  int size() {
    return changed.size();
  }

  /// The keys that differ from last time; from now on their state is the one taken.
  Set<K> take() {
    Set<K> keys = Set.copyOf(changed.keySet());
    changed.clear();
    return keys;
  }
}
