package io.fairlead.server.cache;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Finds caches by their resource and by the keys of the store that belong to them. Immutable: when
/// resources come and go there is another one.
final class CacheIndex {
  // A resource may be served in several versions; the first is the preferred one.
  private final Map<String, ObjectCache> byVersion = new LinkedHashMap<>();
  private final Map<String, ObjectCache> byName = new LinkedHashMap<>();
  private final NavigableMap<String, List<ObjectCache>> byPrefix = new TreeMap<>();

  private CacheIndex() {}

  static CacheIndex of(List<ObjectCache> caches) {
    CacheIndex index = new CacheIndex();
    for (ObjectCache cache : caches) {
      ResourceDescriptor descriptor = cache.descriptor();
      index.byVersion.put(name(descriptor.apiVersion(), descriptor.plural()), cache);
      index.byName.putIfAbsent(name(descriptor.group(), descriptor.plural()), cache);
      index.byPrefix.computeIfAbsent(descriptor.keyPrefix(""), _ -> new ArrayList<>()).add(cache);
    }
    return index;
  }

  Collection<ObjectCache> all() {
    return byVersion.values();
  }

  /// The cache of a resource in its own version, or null.
  @Nullable ObjectCache of(Resource resource) {
    return byVersion.get(name(resource.descriptor().apiVersion(), resource.descriptor().plural()));
  }

  /// The cache of a resource in its preferred version, or null.
  @Nullable ObjectCache of(String group, String plural) {
    return byName.get(name(group, plural));
  }

  /// The caches that hold the object with that key, one for each version of its kind.
  List<ObjectCache> holding(String key) {
    Map.Entry<String, List<ObjectCache>> place = byPrefix.floorEntry(key);
    return place != null && key.startsWith(place.getKey()) ? place.getValue() : List.of();
  }

  private static String name(String group, String plural) {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
