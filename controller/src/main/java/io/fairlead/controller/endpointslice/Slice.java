package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An EndpointSlice as it is stored. Immutable.
///
/// @param addressType `IPv4`, `IPv6`, or what else there may be
record Slice(
    ObjectMeta metadata,
    String generateName,
    Map<String, String> annotations,
    String addressType,
    List<Endpoint> endpoints,
    List<SlicePort> ports)
    implements HasMetadata {

  Slice {
    annotations = Map.copyOf(annotations);
    endpoints = List.copyOf(endpoints);
    ports = List.copyOf(ports);
  }

  static Slice of(ObjectNode object) {
    Map<String, String> annotations = new LinkedHashMap<>();
    object
        .path("metadata")
        .path("annotations")
        .properties()
        .forEach(entry -> annotations.put(entry.getKey(), entry.getValue().asString("")));
    List<Endpoint> endpoints = new ArrayList<>();
    object.path("endpoints").forEach(endpoint -> endpoints.add(Endpoint.of(endpoint)));
    List<SlicePort> ports = new ArrayList<>();
    for (JsonNode port : object.path("ports")) {
      ports.add(SlicePort.of(port));
    }
    return new Slice(
        ObjectMeta.of(object),
        Json.textOr(object, "", "metadata", "generateName"),
        annotations,
        Json.textOr(object, "", "addressType").intern(),
        endpoints,
        ports);
  }

  String uid() {
    return metadata.uid();
  }

  /// The Service it says it belongs to; its name is empty when it says nothing.
  ObjectKey service() {
    return new ObjectKey(
        metadata.namespace(), metadata.labels().getOrDefault(SliceLabels.SERVICE_NAME, ""));
  }

  boolean managedByUs() {
    return SliceLabels.MANAGER.equals(metadata.labels().get(SliceLabels.MANAGED_BY));
  }

  /// Whether it belongs to the Service with this uid, and not to one of the same name before it.
  boolean ownedBy(String serviceUid) {
    return metadata.ownerReferences().stream()
        .anyMatch(
            owner ->
                owner.uid().equals(serviceUid)
                    && owner.kind().equals("Service")
                    && owner.apiVersion().equals("v1"));
  }

  /// Its ports, whatever their order: what slices are grouped by.
  Set<SlicePort> portSet() {
    return Set.copyOf(ports);
  }

  boolean hasHints() {
    return endpoints.stream().anyMatch(endpoint -> !endpoint.hints().isNone());
  }
}
