package io.fairlead.client.informer;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Objects by key and by whatever else they are looked up by. Guarded by its informer.
final class ObjectStore<T extends HasMetadata> {
  private record Index<T>(
      Function<T, Collection<String>> values, Map<String, Set<ObjectKey>> keys) {}

  private static final java.util.Comparator<ObjectKey> ORDER =
      java.util.Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

  private Map<ObjectKey, T> objects = new LinkedHashMap<>();
  private final Map<String, Index<T>> indexes = new HashMap<>();

  void addIndex(String name, Function<T, Collection<String>> values) {
    Index<T> index = new Index<>(values, new HashMap<>());
    indexes.put(name, index);
    objects.values().forEach(object -> enter(index, object));
  }

  boolean isEmpty() {
    return objects.isEmpty();
  }

  /// Takes over all objects at once. Only while there are none.
  void fill(LinkedHashMap<ObjectKey, T> all) {
    objects = all;
    indexes.values().forEach(index -> all.values().forEach(object -> enter(index, object)));
  }

  Optional<T> get(ObjectKey key) {
    return Optional.ofNullable(objects.get(key));
  }

  List<T> all() {
    return List.copyOf(objects.values());
  }

  Set<ObjectKey> keys() {
    return Set.copyOf(objects.keySet());
  }

  List<T> find(String indexName, String value) {
    Index<T> index = indexes.get(indexName);
    if (index == null) {
      throw new IllegalArgumentException("no index " + indexName);
    }
    List<T> found = new ArrayList<>();
    for (ObjectKey key : index.keys().getOrDefault(value, Set.of())) {
      get(key).ifPresent(found::add);
    }
    return found;
  }

  /// Puts an object and returns the one it replaces.
  Optional<T> put(T object) {
    Optional<T> old = Optional.ofNullable(objects.put(object.metadata().key(), object));
    for (Index<T> index : indexes.values()) {
      old.ifPresent(before -> leave(index, before));
      enter(index, object);
    }
    return old;
  }

  Optional<T> remove(ObjectKey key) {
    Optional<T> old = Optional.ofNullable(objects.remove(key));
    old.ifPresent(before -> indexes.values().forEach(index -> leave(index, before)));
    return old;
  }

  private void enter(Index<T> index, T object) {
    for (String value : index.values().apply(object)) {
      index.keys().computeIfAbsent(value, _ -> new TreeSet<>(ORDER)).add(object.metadata().key());
    }
  }

  private void leave(Index<T> index, T object) {
    for (String value : index.values().apply(object)) {
      index
          .keys()
          .computeIfPresent(
              value,
              (_, keys) -> {
                keys.remove(object.metadata().key());
                return keys.isEmpty() ? null : keys;
              });
    }
  }
}
