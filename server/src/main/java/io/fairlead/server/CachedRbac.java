package io.fairlead.server;

import io.fairlead.server.auth.rbac.RbacSource;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.ListQuery;
import io.fairlead.server.cache.SelectionPredicate;
import java.util.List;

/// Roles and bindings of the watch cache: a change is seen by the next question.
record CachedRbac(Caches caches) implements RbacSource {
  @Override
  public long version(String plural) {
    return caches.of(GROUP, plural).changedAt();
  }

  @Override
  public List<Item> items(String plural) {
    // Resource version 0: whatever the cache has, without asking the store.
    ListQuery query = new ListQuery(SelectionPredicate.namespace(""), "0", "", 0, "");
    return caches.of(GROUP, plural).list(query).items().stream().map(CachedRbac::item).toList();
  }

  private static Item item(CachedObject object) {
    return new Item(
        object.namespace(), object.name(), Long.toString(object.revision()), object::tree);
  }
}
