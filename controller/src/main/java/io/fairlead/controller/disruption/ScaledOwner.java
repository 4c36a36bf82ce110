package io.fairlead.controller.disruption;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.ControllerRefManager;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Something that owns pods, and how many it asks for.
record ScaledOwner(ObjectMeta metadata, int replicas) implements HasMetadata {
  /// By kind.
  static final Map<String, InformerKind<ScaledOwner>> KINDS = kinds();

  private static Map<String, InformerKind<ScaledOwner>> kinds() {
    Map<String, InformerKind<ScaledOwner>> kinds = new LinkedHashMap<>();
    for (ResourceType type :
        List.of(
            ResourceType.DEPLOYMENTS,
            ResourceType.REPLICA_SETS,
            ResourceType.STATEFUL_SETS,
            ResourceType.REPLICATION_CONTROLLERS)) {
      kinds.put(type.kind(), InformerKind.of(type, ScaledOwner::of));
    }
    return Map.copyOf(kinds);
  }

  static ScaledOwner of(ObjectNode body) {
    return new ScaledOwner(ObjectMeta.of(body), body.path("spec").path("replicas").asInt(1));
  }

  /// Who owns it in turn: the Deployment of a ReplicaSet.
  Optional<OwnerReference> controller() {
    return ControllerRefManager.controller(metadata);
  }
}
