package io.fairlead.controller.scheduler;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.placement.NodeSelector;
import io.fairlead.controller.placement.Toleration;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.Conditions;
import io.fairlead.controller.workload.Owners;
import io.fairlead.controller.workload.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A pod, as far as it has or needs a place. Immutable.
///
/// @param nodeName empty while it has none
/// @param requests what it asks for, by resource
/// @param scoreRequests the same with assumptions for pods that ask for no processor or memory
/// @param preferredNodes terms with their weights
/// @param told the condition that says why it has no place: its message, empty without one
record PodToPlace(
    ObjectMeta metadata,
    Instant created,
    String nodeName,
    String schedulerName,
    boolean finished,
    boolean gated,
    int priority,
    NodeSelector nodes,
    List<Weighted<NodeSelector.Term>> preferredNodes,
    List<Toleration> tolerations,
    Map<String, Long> requests,
    Map<String, Long> scoreRequests,
    Set<HostPort> hostPorts,
    Set<String> images,
    List<SpreadConstraint> spread,
    List<PodTerm> requiredTogether,
    List<PodTerm> requiredApart,
    List<Weighted<PodTerm>> preferredTogether,
    List<Weighted<PodTerm>> preferredApart,
    String told)
    implements HasMetadata {
  /// One of several wishes.
  record Weighted<T>(int weight, T wish) {}

  static final String BY_NODE = "node";

  static final InformerKind<PodToPlace> KIND =
      InformerKind.of(ResourceType.PODS, PodToPlace::of)
          .indexedBy(BY_NODE, pod -> List.of(pod.nodeName));

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  static PodToPlace of(ObjectNode object) {
    JsonNode spec = object.path("spec");
    JsonNode status = object.path("status");
    ObjectMeta metadata = ObjectMeta.of(object);
    String phase = Json.textOr(status, "", "phase");
    JsonNode affinity = spec.path("affinity");
    Set<String> images = new LinkedHashSet<>();
    spec.path("containers").forEach(one -> images.add(Json.textOr(one, "", "image")));
    JsonNode scheduled = Conditions.find(status, "PodScheduled");
    boolean refused = Json.textOr(scheduled, "", "status").equals("False");
    return new PodToPlace(
        metadata,
        Times.at(object, "metadata", "creationTimestamp").orElse(Instant.EPOCH),
        Json.textOr(spec, "", "nodeName").intern(),
        Json.textOr(spec, "default-scheduler", "schedulerName").intern(),
        phase.equals("Succeeded") || phase.equals("Failed"),
        !spec.path("schedulingGates").isEmpty(),
        spec.path("priority").asInt(0),
        NodeSelector.of(spec),
        preferredNodes(Json.at(affinity, "nodeAffinity", PREFERRED)),
        Toleration.of(spec.path("tolerations")),
        Requests.of(spec),
        Requests.assumed(spec),
        HostPort.of(spec),
        images,
        SpreadConstraint.of(spec.path("topologySpreadConstraints"), metadata),
        PodTerm.list(Json.at(affinity, "podAffinity", REQUIRED), metadata),
        PodTerm.list(Json.at(affinity, "podAntiAffinity", REQUIRED), metadata),
        preferred(Json.at(affinity, "podAffinity", PREFERRED), metadata),
        preferred(Json.at(affinity, "podAntiAffinity", PREFERRED), metadata),
        refused ? Json.textOr(scheduled, "", "message") : "");
  }

  ObjectKey key() {
    return metadata.key();
  }

  String namespace() {
    return metadata.namespace();
  }

  Map<String, String> labels() {
    return metadata.labels();
  }

  /// It holds resources where it is: until it has finished, also while it is being deleted.
  boolean holdsPlace() {
    return !nodeName.isEmpty() && !finished;
  }

  /// It waits for a place and this scheduler is to find it.
  boolean waits(String scheduler) {
    return nodeName.isEmpty()
        && !finished
        && !metadata.beingDeleted()
        && schedulerName.equals(scheduler);
  }

  /// The uid of the controller that owns it, or empty.
  String controllerUid() {
    return Owners.controller(metadata).map(OwnerReference::uid).orElse("");
  }

  /// The same pod on a node.
  PodToPlace on(String node) {
    return with(node, spread);
  }

  /// The same pod with other wishes about its spread.
  PodToPlace spreadBy(List<SpreadConstraint> constraints) {
    return with(nodeName, constraints);
  }

  private PodToPlace with(String node, List<SpreadConstraint> constraints) {
    return new PodToPlace(
        metadata,
        created,
        node,
        schedulerName,
        finished,
        gated,
        priority,
        nodes,
        preferredNodes,
        tolerations,
        requests,
        scoreRequests,
        hostPorts,
        images,
        constraints,
        requiredTogether,
        requiredApart,
        preferredTogether,
        preferredApart,
        told);
  }

  private static List<Weighted<NodeSelector.Term>> preferredNodes(JsonNode list) {
    List<Weighted<NodeSelector.Term>> read = new ArrayList<>();
    for (JsonNode one : list) {
      read.add(
          new Weighted<>(one.path("weight").asInt(1), NodeSelector.term(one.path("preference"))));
    }
    return read;
  }

  private static List<Weighted<PodTerm>> preferred(JsonNode list, ObjectMeta metadata) {
    List<Weighted<PodTerm>> read = new ArrayList<>();
    for (JsonNode one : list) {
      read.add(
          new Weighted<>(
              one.path("weight").asInt(1), PodTerm.of(one.path("podAffinityTerm"), metadata)));
    }
    return read;
  }
}
