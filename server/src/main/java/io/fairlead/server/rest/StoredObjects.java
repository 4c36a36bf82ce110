package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.server.cache.ObjectCodec;
import io.fairlead.server.resource.Resource;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.Write;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Objects of the API as entries of the store.
final class StoredObjects {
  private StoredObjects() {}

  /// An object as it is stored now, with its resourceVersion filled in.
  record StoredObject(ObjectNode tree, long revision) {}

  /// The newest state, straight from the store; null when there is none.
  static @Nullable StoredObject read(Store store, Resource resource, String key) {
    return found(resource, store.get(key));
  }

  static @Nullable StoredObject found(Resource resource, @Nullable StoreEntry entry) {
    if (entry == null) {
      return null;
    }
    ObjectNode tree = resource.fromStored(ObjectCodec.decode(entry.value()));
    setRevision(tree, entry.modRevision());
    return new StoredObject(tree, entry.modRevision());
  }

  static void setRevision(ObjectNode object, long revision) {
    Json.child(object, "metadata").put("resourceVersion", Long.toString(revision));
  }

  /// The write that stores the object.
  static Write.Put put(Resource resource, String key, ObjectNode object, long expected) {
    ObjectNode stored = resource.toStored(object);
    return new Write.Put(
        key, new Write.Value(ObjectCodec.encode(stored)), expected, resource.ttlSeconds(object));
  }
}
