package io.fairlead.server;

import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.ListQuery;
import io.fairlead.server.cache.ObjectCache;
import io.fairlead.server.cache.SelectionPredicate;
import io.fairlead.server.flowcontrol.FlowControl;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.cluster.FlowControlDefaults;
import io.fairlead.server.rest.ResourceRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Flow schemas and priority levels of the watch cache; none where the server does not serve them.
record CachedFlowControl(@Nullable ObjectCache schemaCache, @Nullable ObjectCache levelCache)
    implements FlowControl.Source {
  static CachedFlowControl of(Caches caches, ResourceRegistry registry) {
    return new CachedFlowControl(
        cache(caches, registry, FlowControlDefaults.SCHEMAS),
        cache(caches, registry, FlowControlDefaults.LEVELS));
  }

  private static @Nullable ObjectCache cache(
      Caches caches, ResourceRegistry registry, String plural) {
    Resource resource = registry.find(FlowControlDefaults.GROUP, plural);
    return resource == null ? null : caches.of(resource);
  }

  @Override
  public long version() {
    return Math.max(changedAt(schemaCache), changedAt(levelCache));
  }

  private static long changedAt(@Nullable ObjectCache cache) {
    return cache == null ? 0 : cache.changedAt();
  }

  @Override
  public List<ObjectNode> schemas() {
    return objects(schemaCache);
  }

  @Override
  public List<ObjectNode> levels() {
    return objects(levelCache);
  }

  private static List<ObjectNode> objects(@Nullable ObjectCache cache) {
    if (cache == null) {
      return List.of();
    }
    // Resource version 0: whatever the cache has, without asking the store.
    ListQuery query = new ListQuery(SelectionPredicate.namespace(""), "0", "", 0, "");
    return cache.list(query).items().stream().map(CachedObject::tree).toList();
  }
}
