package io.fairlead.proxy.tracking;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The newest state of keyed things, and which of them differ from the state taken last. What
/// changes and changes back in between is no change. Not thread-safe.
final class PendingChanges<K, V> {
  private final Map<K, V> current = new HashMap<>();
  private Map<K, Optional<V>> changed = new HashMap<>();

  /// Notes the newest state of a key; null: gone. Says whether this differs from what was known.
  boolean set(K key, @Nullable V now) {
    V known = current.get(key);
    if (Objects.equals(known, now)) {
      return false;
    }
    Optional<V> before = changed.putIfAbsent(key, Optional.ofNullable(known));
    if (before != null && Objects.equals(before.orElse(null), now)) {
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
    return Collections.unmodifiableSet(current.keySet());
  }

  int size() {
    return changed.size();
  }

  /// The keys that differ from last time, with what they had then; from now on their state is the
  /// one taken.
  Map<K, Optional<V>> take() {
    Map<K, Optional<V>> taken = changed;
    changed = new HashMap<>();
    return taken;
  }
}
