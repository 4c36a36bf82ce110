package io.fairlead.controller.scheduler;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.objects.V1Times;
import io.fairlead.controller.placement.NodeSelector;
import io.fairlead.controller.placement.Toleration;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.ControllerRefManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// A pod, as far as it has or needs a place. Immutable.
///
/// @param nodeName empty while it has none
/// @param requests what it asks for, by resource
/// @param scoreRequests the same with assumptions for pods that ask for no processor or memory
/// @param preferredNodes terms with their weights
/// @param preempts whether less important pods may have to leave for it
/// @param nominatedNode where others leave for it, as the server shows it; empty without one
/// @param told the condition that says why it has no place: its message, empty without one
record PodInfo(
    ObjectMeta metadata,
    Instant created,
    String nodeName,
    String schedulerName,
    boolean finished,
    boolean gated,
    int priority,
    boolean preempts,
    String nominatedNode,
    NodeSelector nodes,
    List<Weighted<NodeSelector.Term>> preferredNodes,
    List<Toleration> tolerations,
    Map<String, Long> requests,
    Map<String, Long> scoreRequests,
    Set<PodHostPort> hostPorts,
    Set<String> images,
    List<SpreadConstraint> spread,
    List<PodAffinityTerm> requiredTogether,
    List<PodAffinityTerm> requiredApart,
    List<Weighted<PodAffinityTerm>> preferredTogether,
    List<Weighted<PodAffinityTerm>> preferredApart,
    String told)
    implements HasMetadata {
  /// One of several wishes.
  record Weighted<T>(int weight, T wish) {}

  static final String BY_NODE = "node";

  static final InformerKind<PodInfo> KIND =
      InformerKind.decoding(ResourceType.PODS, object -> of(V1Pod.of(object)))
          .indexedBy(BY_NODE, pod -> List.of(pod.nodeName));

  private static final String DEFAULT_SCHEDULER = "default-scheduler";
  private static final String NEVER = "Never";
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  static PodInfo of(V1Pod pod) {
    V1Pod.Spec spec = pod.spec();
    V1Pod.Scheduling scheduling = spec.scheduling();
    ObjectMeta metadata = pod.metadata();
    JsonNode affinity = scheduling.affinity();
    Set<String> images = new LinkedHashSet<>();
    for (V1Pod.Container container : spec.containers()) {
      images.add(container.image());
    }
    Optional<V1Condition> scheduled = pod.status().condition("PodScheduled");
    boolean refused = scheduled.isPresent() && scheduled.get().status().equals("False");
    return new PodInfo(
        metadata,
        V1Times.parse(pod.creationTimestamp()).orElse(Instant.EPOCH),
        spec.nodeName(),
        scheduling.schedulerName().isEmpty() ? DEFAULT_SCHEDULER : scheduling.schedulerName(),
        pod.finished(),
        scheduling.gated(),
        scheduling.priority(),
        !scheduling.preemptionPolicy().equals(NEVER),
        pod.status().nominatedNodeName(),
        NodeSelector.of(scheduling.nodeSelector(), affinity),
        preferredNodes(Json.at(affinity, "nodeAffinity", PREFERRED)),
        Toleration.of(spec.tolerations()),
        PodResourceRequests.of(spec),
        PodResourceRequests.assumed(spec),
        PodHostPort.of(spec),
        images,
        SpreadConstraint.of(scheduling.topologySpreadConstraints(), metadata),
        PodAffinityTerm.list(Json.at(affinity, "podAffinity", REQUIRED), metadata),
        PodAffinityTerm.list(Json.at(affinity, "podAntiAffinity", REQUIRED), metadata),
        preferred(Json.at(affinity, "podAffinity", PREFERRED), metadata),
        preferred(Json.at(affinity, "podAntiAffinity", PREFERRED), metadata),
        refused ? scheduled.get().message() : "");
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
    return ControllerRefManager.controller(metadata).map(OwnerReference::uid).orElse("");
  }

  /// The same pod on a node.
  PodInfo on(String node) {
    return with(node, spread);
  }

  /// The same pod with other wishes about its spread.
  PodInfo spreadBy(List<SpreadConstraint> constraints) {
    return with(nodeName, constraints);
  }

  private PodInfo with(String node, List<SpreadConstraint> constraints) {
    return new PodInfo(
        metadata,
        created,
        node,
        schedulerName,
        finished,
        gated,
        priority,
        preempts,
        nominatedNode,
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

  private static List<Weighted<PodAffinityTerm>> preferred(JsonNode list, ObjectMeta metadata) {
    List<Weighted<PodAffinityTerm>> read = new ArrayList<>();
    for (JsonNode one : list) {
      read.add(
          new Weighted<>(
              one.path("weight").asInt(1),
              PodAffinityTerm.of(one.path("podAffinityTerm"), metadata)));
    }
    return read;
  }
}
