package io.fairlead.controller.replicaset;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.Owners;
import io.fairlead.controller.workload.Pod;
import io.fairlead.controller.workload.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A ReplicaSet. Immutable; the tree inside is shared, copy before changing.
///
/// @param replicas how many pods it shall have
/// @param statusReplicas how many it had when it last looked
/// @param availableReplicas of them, ready for long enough
public record ReplicaSet(
    ApiObject object,
    Instant created,
    LabelSelector selector,
    int replicas,
    int statusReplicas,
    int readyReplicas,
    int availableReplicas,
    int terminatingReplicas,
    long observedGeneration)
    implements HasMetadata {
  public static final ResourceType TYPE = ResourceType.REPLICA_SETS;

  /// By the uid of the Deployment that owns it; those without one as pods are.
  public static final String BY_CONTROLLER = "controller";

  public static final InformerKind<ReplicaSet> KIND =
      InformerKind.of(TYPE, ReplicaSet::of)
          .indexedBy(BY_CONTROLLER, set -> List.of(set.ownerKey()));

  public static ReplicaSet of(ObjectNode body) {
    JsonNode spec = body.path("spec");
    JsonNode status = body.path("status");
    return new ReplicaSet(
        ApiObject.of(body),
        Times.at(body, "metadata", "creationTimestamp").orElse(Instant.EPOCH),
        LabelSelector.of(spec.get("selector") instanceof ObjectNode labels ? labels : null),
        spec.path("replicas").asInt(1),
        status.path("replicas").asInt(0),
        status.path("readyReplicas").asInt(0),
        status.path("availableReplicas").asInt(0),
        status.path("terminatingReplicas").asInt(0),
        status.path("observedGeneration").asLong(0));
  }

  @Override
  public ObjectMeta metadata() {
    return object.metadata();
  }

  public String name() {
    return metadata().name();
  }

  public Duration minReady() {
    return Duration.ofSeconds(object.body().path("spec").path("minReadySeconds").asLong(0));
  }

  public ObjectNode template() {
    return Json.child(Json.child(object.body().deepCopy(), "spec"), "template");
  }

  public String annotation(String key) {
    return Json.textOr(object.body(), "", "metadata", "annotations", key);
  }

  public Optional<OwnerReference> controller() {
    return Owners.controller(metadata());
  }

  private String ownerKey() {
    return controller()
        .map(OwnerReference::uid)
        .orElseGet(() -> Pod.orphansOf(metadata().namespace()));
  }
}
