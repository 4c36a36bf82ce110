package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Cause;
import io.fairlead.api.status.Status.Details;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.ObjectCodec;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.Write;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Sees to it that objects are made only in namespaces that exist and are not going away.
///
/// How it works: the namespace is looked up in the cache, and the commit that stores the new object
/// also checks that the namespace is still at the revision seen. So nothing slips into a namespace
/// between the moment its deletion begins and the moment the cache hears of it.
final class NamespaceLifecycle {
  private final RestDependencies core;
  private final @Nullable Resource resource;
  // The namespace last found active, as it was then: most writes go where the last one went.
  private volatile @Nullable CachedObject active;

  NamespaceLifecycle(RestDependencies core) {
    this.core = core;
    this.resource = core.registry().find("", "v1", "namespaces");
  }

  /// The checks to add to the commit of a new object; none for cluster-scoped resources.
  ///
  /// @param fresh read from the store, because the cache was found to be behind
  /// @throws ApiException 404 or 403 when the namespace is missing or terminating
  List<Write> checkCreate(ResourceRequest call, String name, boolean fresh) {
    Resource namespaces = resource;
    if (namespaces == null || call.namespace().isEmpty()) {
      return List.of();
    }
    String key = namespaces.descriptor().key("", call.namespace());
    CachedObject cached = fresh ? null : core.caches().of(namespaces).get("", call.namespace());
    if (cached != null && (cached.equals(active) || !isTerminating(cached.tree()))) {
      active = cached;
      return List.of(new Write.Check(key, cached.revision()));
    }
    StoreEntry entry = core.store().get(key);
    if (entry == null) {
      throw ApiException.notFound("", "namespaces", call.namespace());
    }
    if (isTerminating(ObjectCodec.decode(entry.value()))) {
      throw terminating(call.descriptor(), call.namespace(), name);
    }
    return List.of(new Write.Check(key, entry.modRevision()));
  }

  private static boolean isTerminating(JsonNode namespace) {
    return namespace.path("metadata").has("deletionTimestamp")
        || Json.textOr(namespace, "", "status", "phase").equals("Terminating");
  }

  private static ApiException terminating(
      ResourceDescriptor descriptor, String namespace, String name) {
    ApiException plain =
        ApiException.forbidden(
            descriptor.group(),
            descriptor.plural(),
            name,
            "unable to create new content in namespace "
                + namespace
                + " because it is being terminated");
    Cause cause =
        new Cause(
            "NamespaceTerminating",
            "namespace " + namespace + " is being terminated",
            "metadata.namespace");
    Status status = plain.status();
    Details details = status.details() == null ? Details.EMPTY : status.details();
    return new ApiException(status.withDetails(details.withCauses(List.of(cause))));
  }
}
