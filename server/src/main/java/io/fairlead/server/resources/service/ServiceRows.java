package io.fairlead.server.resources.service;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.TableRows;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The rows of Services, with how many of their endpoints are ready. Belongs to one answer, and to
/// its thread.
///
/// How it works: an answer of one row reads the EndpointSlices of that Service. With the second row
/// of a namespace all of its slices are read, once.
final class ServiceRows implements TableRows {
  private static final String GROUP = "discovery.k8s.io";
  private static final String PLURAL = "endpointslices";
  private static final String SERVICE = "kubernetes.io/service-name";

  private final ClusterReader reader;
  private final Set<String> begun = new HashSet<>();
  private final Map<String, Map<String, List<ObjectNode>>> slices = new HashMap<>();

  ServiceRows(ClusterReader reader) {
    this.reader = reader;
  }

  @Override
  public List<JsonNode> cells(ObjectNode service, Instant now) {
    List<JsonNode> cells = new ArrayList<>(ServiceTable.cells(service, now));
    cells.set(ServiceTable.READY, Cells.text(ready(service)));
    return cells;
  }

  /// `2/3`, of the endpoints in the slices of the Service's first address family.
  private String ready(ObjectNode service) {
    JsonNode spec = service.path("spec");
    if (ServiceSpec.isExternalName(spec)) {
      return ServiceTable.NONE;
    }
    List<ObjectNode> own =
        slices(
            Json.textOr(service, "", "metadata", "namespace"),
            Json.textOr(service, "", "metadata", "name"));
    if (own.isEmpty()) {
      return spec.path("selector").isEmpty() ? ServiceTable.NONE : "0/0";
    }
    Map<String, Map<String, Boolean>> byFamily = new LinkedHashMap<>();
    for (ObjectNode slice : own) {
      Map<String, Boolean> endpoints =
          byFamily.computeIfAbsent(Json.textOr(slice, "", "addressType"), _ -> new HashMap<>());
      for (JsonNode endpoint : slice.path("endpoints")) {
        endpoints.merge(
            endpoint.path("addresses").path(0).asString(""),
            endpoint.path("conditions").path("ready").asBoolean(true),
            Boolean::logicalOr);
      }
    }
    @Nullable Map<String, Boolean> first =
        byFamily.get(spec.path("ipFamilies").path(0).asString(""));
    Map<String, Boolean> shown = first == null ? byFamily.values().iterator().next() : first;
    long ready = shown.values().stream().filter(Boolean::booleanValue).count();
    return ready + "/" + shown.size();
  }

  private List<ObjectNode> slices(String namespace, String name) {
    Map<String, List<ObjectNode>> all = slices.get(namespace);
    if (all == null) {
      if (begun.add(namespace)) {
        return reader.labelled(GROUP, PLURAL, namespace, SERVICE, name);
      }
      all = new HashMap<>();
      for (ObjectNode slice : reader.list(GROUP, PLURAL, namespace)) {
        all.computeIfAbsent(
                Json.textOr(slice, "", "metadata", "labels", SERVICE), _ -> new ArrayList<>())
            .add(slice);
      }
      slices.put(namespace, all);
    }
    return all.getOrDefault(name, List.of());
  }
}
