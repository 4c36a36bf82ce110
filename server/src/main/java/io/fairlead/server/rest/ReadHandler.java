package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.FieldSelector;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.QueryParameters;
import io.fairlead.server.cache.CachedObject;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.cache.ListOptionsValidation;
import io.fairlead.server.cache.ListPage;
import io.fairlead.server.cache.ListQuery;
import io.fairlead.server.cache.SelectionPredicate;
import io.fairlead.server.resource.Resource;
import java.util.Set;

/// Reads objects from the watch cache (spec 2.3).
final class ReadHandler {
  private static final Set<String> COMMON = Set.of("metadata.name", "metadata.namespace");

  private final Caches caches;

  ReadHandler(Caches caches) {
    this.caches = caches;
  }

  /// The object, as new as the query demands.
  CachedObject get(ResourceRequest call) {
    awaitVersion(call.exchange().query().text("resourceVersion"));
    CachedObject found = caches.of(call.resource()).get(call.namespace(), call.name());
    if (found == null) {
      throw ApiException.notFound(
          call.descriptor().group(), call.descriptor().plural(), call.name());
    }
    return found;
  }

  ListPage list(ResourceRequest call) {
    return caches.of(call.resource()).list(query(call));
  }

  private static ListQuery query(ResourceRequest call) {
    QueryParameters query = call.exchange().query();
    Long limit = query.number("limit");
    // A list takes no time worth limiting, but the number must be one.
    query.number("timeoutSeconds");
    if (query.has("sendInitialEvents")) {
      throw ListOptionErrors.sendInitialEventsOnList();
    }
    return new ListQuery(
        selection(call),
        query.text("resourceVersion"),
        query.text("resourceVersionMatch"),
        limit == null ? 0 : Math.max(0, limit),
        query.text("continue"));
  }

  /// What the request's selectors ask for. A legacy watch path may name one object.
  static SelectionPredicate selection(ResourceRequest call) {
    QueryParameters query = call.exchange().query();
    LabelSelector labels = LabelSelector.parse(query.text("labelSelector"));
    FieldSelector fields = FieldSelector.parse(query.text("fieldSelector"));
    checkFields(call.resource(), fields);
    if (call.info().legacyWatch() && !call.name().isEmpty()) {
      fields = FieldSelector.parse("metadata.name=" + call.name());
    }
    return new SelectionPredicate(call.namespace(), labels, fields);
  }

  private void awaitVersion(String version) {
    if (version.isEmpty()) {
      caches.awaitFresh();
    } else if (!version.equals("0")) {
      caches.awaitRevision(ListOptionsValidation.revision(version), Caches.FRESHNESS);
    }
  }

  private static void checkFields(Resource resource, FieldSelector selector) {
    if (selector.isEmpty()) {
      return;
    }
    Set<String> own = resource.selectableFields(Json.object()).keySet();
    boolean ownRules = !own.isEmpty();
    for (String field : selector.fields()) {
      boolean common =
          COMMON.contains(field)
              && (!ownRules || resource.descriptor().namespaced() || field.equals("metadata.name"));
      if (!common && !own.contains(field)) {
        throw ApiException.badRequest(
            ownRules
                ? "field label not supported: " + field
                : "\""
                    + field
                    + "\" is not a known field selector: only \"metadata.name\","
                    + " \"metadata.namespace\"");
      }
    }
  }
}
