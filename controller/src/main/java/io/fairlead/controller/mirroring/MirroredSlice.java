package io.fairlead.controller.mirroring;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A slice this controller wrote, as it is stored. Its trees are not to be changed.
///
/// It keeps ports and endpoints as trees and not as a [io.fairlead.client.objects.V1EndpointSlice]:
/// the controller compares them, every field included, with the trees it is about to write.
///
/// @param ports as written, in any order
record MirroredSlice(
    ObjectMeta metadata,
    Map<String, String> annotations,
    String addressType,
    Set<JsonNode> ports,
    JsonNode endpoints)
    implements HasMetadata {
  static final String SERVICE_NAME = "kubernetes.io/service-name";
  static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
  static final String MANAGER = "endpointslicemirroring-controller.k8s.io";

  static MirroredSlice of(ObjectNode object) {
    Map<String, String> annotations = new HashMap<>();
    Json.at(object, "metadata", "annotations")
        .properties()
        .forEach(entry -> annotations.put(entry.getKey(), entry.getValue().asString("")));
    Set<JsonNode> ports = new HashSet<>();
    object.path("ports").forEach(ports::add);
    JsonNode endpoints = object.path("endpoints");
    return new MirroredSlice(
        ObjectMeta.of(object),
        annotations,
        Json.textOr(object, "", "addressType").intern(),
        ports,
        endpoints.isArray() ? endpoints : Json.array());
  }

  /// The Service, and the Endpoints of its name, it says it is for.
  ObjectKey service() {
    return new ObjectKey(metadata.namespace(), metadata.labels().getOrDefault(SERVICE_NAME, ""));
  }

  boolean ownedBy(String endpointsUid) {
    return metadata.ownerReferences().stream()
        .anyMatch(owner -> owner.kind().equals("Endpoints") && owner.uid().equals(endpointsUid));
  }
}
