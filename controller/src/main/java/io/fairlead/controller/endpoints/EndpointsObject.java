package io.fairlead.controller.endpoints;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An Endpoints object, as far as controllers act on it. Immutable.
///
/// @param content says whether its subsets are the wanted ones
/// @param byHand the subsets themselves, where they are not ours to compute; what the Endpoints
///   controller wrote is known from its pods and not kept a second time
/// @param held the owners and finalizers others gave it, as written; empty for most
public record EndpointsObject(
    ObjectMeta metadata,
    Map<String, String> annotations,
    Fingerprint content,
    Optional<List<EndpointSubset>> byHand,
    Optional<ObjectNode> held)
    implements HasMetadata {
  /// Marks what the Endpoints controller writes.
  static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";

  static final String MANAGER = "endpoint-controller";
  private static final String LEADER = "control-plane.alpha.kubernetes.io/leader";

  /// How all controllers of a process look at Endpoints.
  public static final InformerKind<EndpointsObject> KIND =
      InformerKind.of(ResourceType.ENDPOINTS, EndpointsObject::of);

  public EndpointsObject {
    annotations = Map.copyOf(annotations);
  }

  public static EndpointsObject of(ObjectNode object) {
    ObjectMeta metadata = ObjectMeta.of(object);
    Map<String, String> annotations = new HashMap<>();
    object
        .path("metadata")
        .path("annotations")
        .properties()
        .forEach(entry -> annotations.put(entry.getKey(), entry.getValue().asString("")));
    List<EndpointSubset> subsets = EndpointSubset.listOf(object);
    boolean ours = MANAGER.equals(metadata.labels().get(MANAGED_BY));
    return new EndpointsObject(
        metadata,
        annotations,
        Fingerprint.of(Repacking.of(subsets)),
        ours ? Optional.empty() : Optional.of(List.copyOf(subsets)),
        held(object.path("metadata")));
  }

  private static Optional<ObjectNode> held(JsonNode metadata) {
    ObjectNode held = Json.object();
    for (String name : List.of("ownerReferences", "finalizers")) {
      if (!metadata.path(name).isEmpty()) {
        held.set(name, metadata.path(name));
      }
    }
    return held.isEmpty() ? Optional.empty() : Optional.of(held);
  }

  public ObjectKey key() {
    return metadata.key();
  }

  /// Whether it is a lock that old leader elections write, and no endpoints at all.
  public boolean isElectionLock() {
    return annotations.containsKey(LEADER);
  }
}
