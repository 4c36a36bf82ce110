package io.fairlead.server.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keeps the most recently used entries, up to a limit. Guarded by its own monitor, which is held
/// for one map operation.
final class BoundedCache<K, V> {
  private final Map<K, V> entries;

  BoundedCache(int most) {
    entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  synchronized @Nullable V get(K key) {
    return entries.get(key);
  }

  synchronized void put(K key, V value) {
    entries.put(key, value);
  }

  synchronized int size() {
    return entries.size();
  }
}
