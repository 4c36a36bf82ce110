package io.fairlead.controller.replicaset;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.ControllerRefManager;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A ReplicaSet, or a ReplicationController, which is an older form of the same. Immutable; the
/// tree inside is shared, copy before changing.
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

  static final InformerKind<ReplicaSet> REPLICATION_CONTROLLERS =
      InformerKind.of(ResourceType.REPLICATION_CONTROLLERS, ReplicaSet::ofReplicationController)
          .indexedBy(BY_CONTROLLER, set -> List.of(set.ownerKey()));

  /// A ReplicationController has only labels where a ReplicaSet has a selector.
  private static ReplicaSet ofReplicationController(ObjectNode body) {
    ObjectNode labels = Json.object();
    labels.set("matchLabels", body.path("spec").path("selector"));
    return of(body, body.path("spec").path("selector").isEmpty() ? null : labels);
  }

  public static ReplicaSet of(ObjectNode body) {
    return of(body, body.path("spec").get("selector") instanceof ObjectNode given ? given : null);
  }

  private static ReplicaSet of(ObjectNode body, @Nullable ObjectNode selector) {
    JsonNode spec = body.path("spec");
    JsonNode status = body.path("status");
    return new ReplicaSet(
        ApiObject.of(body),
        Rfc3339Times.at(body, "metadata", "creationTimestamp").orElse(Instant.EPOCH),
        LabelSelector.of(selector),
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
    return ControllerRefManager.controller(metadata());
  }

  private String ownerKey() {
    return controller()
        .map(OwnerReference::uid)
        .orElseGet(() -> WorkloadPod.orphansOf(metadata().namespace()));
  }
}
