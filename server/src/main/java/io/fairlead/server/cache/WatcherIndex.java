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
  private final Set<Watcher> everywhere = new LinkedHashSet<>();
  private final Map<String, Set<Watcher>> byNamespace = new HashMap<>();
  private final Map<String, Set<Watcher>> byName = new HashMap<>();

  void add(Watcher watcher) {
    place(watcher.selection()).add(watcher);
  }

  void remove(Watcher watcher) {
    Selection selection = watcher.selection();
    place(selection).remove(watcher);
    byNamespace.computeIfPresent(selection.namespace(), (_, set) -> set.isEmpty() ? null : set);
    byName.computeIfPresent(nameKey(selection), (_, set) -> set.isEmpty() ? null : set);
  }

  void forEachConcerned(CachedObject object, Consumer<Watcher> action) {
    everywhere.forEach(action);
    byNamespace.getOrDefault(object.namespace(), Set.of()).forEach(action);
    byName.getOrDefault(object.namespace() + "/" + object.name(), Set.of()).forEach(action);
  }

  /// All watchers, as a copy that may be walked while they leave.
  List<Watcher> all() {
    Set<Watcher> all = new LinkedHashSet<>(everywhere);
    byNamespace.values().forEach(all::addAll);
    byName.values().forEach(all::addAll);
    return List.copyOf(all);
  }

  private Set<Watcher> place(Selection selection) {
    if (selection.namespace().isEmpty()) {
      return everywhere;
    }
    return selection.exactName() == null
        ? byNamespace.computeIfAbsent(selection.namespace(), _ -> new LinkedHashSet<>())
        : byName.computeIfAbsent(nameKey(selection), _ -> new LinkedHashSet<>());
  }

  private static String nameKey(Selection selection) {
    return selection.namespace() + "/" + selection.exactName();
  }
}
