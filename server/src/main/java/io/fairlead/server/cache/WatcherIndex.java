package io.fairlead.server.cache;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Finds the watchers that may care about an object, without asking all of them: kubelets watch one
/// node's pods and kubectl one name, so most watchers do not care about most objects. Owned by the
/// cache, used under its lock.
final class WatcherIndex {
  private final Set<CacheWatcher> everywhere = new LinkedHashSet<>();
  private final Map<String, Set<CacheWatcher>> byNamespace = new HashMap<>();
  private final Map<String, Set<CacheWatcher>> byName = new HashMap<>();

  void add(CacheWatcher watcher) {
    place(watcher.selection()).add(watcher);
  }

  void remove(CacheWatcher watcher) {
    SelectionPredicate selection = watcher.selection();
    place(selection).remove(watcher);
    byNamespace.computeIfPresent(selection.namespace(), (_, set) -> set.isEmpty() ? null : set);
    byName.computeIfPresent(nameKey(selection), (_, set) -> set.isEmpty() ? null : set);
  }

  void forEachConcerned(CachedObject object, Consumer<CacheWatcher> action) {
    everywhere.forEach(action);
    byNamespace.getOrDefault(object.namespace(), Set.of()).forEach(action);
    byName.getOrDefault(object.namespace() + "/" + object.name(), Set.of()).forEach(action);
  }

  /// All watchers, as a copy that may be walked while they leave.
  List<CacheWatcher> all() {
    Set<CacheWatcher> all = new LinkedHashSet<>(everywhere);
    byNamespace.values().forEach(all::addAll);
    byName.values().forEach(all::addAll);
    return List.copyOf(all);
  }

  private Set<CacheWatcher> place(SelectionPredicate selection) {
    if (selection.namespace().isEmpty()) {
      return everywhere;
    }
    return selection.exactName() == null
        ? byNamespace.computeIfAbsent(selection.namespace(), _ -> new LinkedHashSet<>())
        : byName.computeIfAbsent(nameKey(selection), _ -> new LinkedHashSet<>());
  }

  private static String nameKey(SelectionPredicate selection) {
    return selection.namespace() + "/" + selection.exactName();
  }
}
