package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.objects.V1Times;
import io.fairlead.controller.placement.Toleration;
import io.fairlead.controller.runtime.InformerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A pod, as far as those who own pods or nodes act on it. Immutable.
///
/// @param phase `Pending`, `Running`, `Succeeded`, `Failed`; empty when nothing was reported
/// @param reason why it is in that phase, such as `Evicted`
/// @param nodeName empty when it is bound to none
/// @param pinnedNode the node its required affinity names, as daemon pods have it; else empty
/// @param ready its condition Ready is True
/// @param readySince when that condition last changed
/// @param finishedAt when its last container ended; empty while it runs
/// @param deletionCost from the annotation; lower goes first
/// @param completionIndex of an indexed Job, -1 elsewhere
/// @param indexFailures how often its index failed before it
/// @param ignoredIndexFailures how often that did not count
/// @param ending how it failed, if it did
public record WorkloadPod(
    ObjectMeta metadata,
    Instant created,
    String phase,
    String reason,
    String nodeName,
    String pinnedNode,
    boolean ready,
    Instant readySince,
    Optional<Instant> finishedAt,
    int restarts,
    int deletionCost,
    int completionIndex,
    int indexFailures,
    int ignoredIndexFailures,
    PodFailure ending,
    List<Toleration> tolerations)
    implements HasMetadata {
  public static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
  public static final String INDEX_FAILURES = "batch.kubernetes.io/job-index-failure-count";
  public static final String IGNORED_INDEX_FAILURES =
      "batch.kubernetes.io/job-index-ignored-failure-count";
  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

  /// By the uid of the controller that owns it; those without one by [#orphansOf].
  public static final String BY_CONTROLLER = "controller";

  public static final String BY_NODE = "node";

  /// The pods of all who share them.
  public static final InformerKind<WorkloadPod> KIND =
      InformerKind.decoding(ResourceType.PODS, object -> WorkloadPod.of(V1Pod.of(object)))
          .indexedBy(BY_CONTROLLER, pod -> List.of(pod.ownerKey()))
          .indexedBy(BY_NODE, pod -> List.of(pod.nodeName));

  public WorkloadPod {
    tolerations = List.copyOf(tolerations);
  }

  public static WorkloadPod of(V1Pod pod) {
    V1Pod.Spec spec = pod.spec();
    V1Pod.Status status = pod.status();
    Optional<V1Condition> ready = status.condition("Ready");
    int restarts = 0;
    for (V1Pod.ContainerStatus container : status.containers()) {
      restarts += container.restartCount();
    }
    return new WorkloadPod(
        pod.metadata(),
        V1Times.parse(pod.creationTimestamp()).orElse(Instant.EPOCH),
        status.phase(),
        status.reason(),
        spec.nodeName(),
        pinned(spec.scheduling().affinity()),
        ready.isPresent() && ready.get().isTrue(),
        ready.flatMap(V1Condition::transitionTime).orElse(Instant.EPOCH),
        finished(status),
        restarts,
        number(pod.annotations().getOrDefault(DELETION_COST, ""), 0),
        number(pod.annotations().getOrDefault(COMPLETION_INDEX, ""), -1),
        number(pod.annotations().getOrDefault(INDEX_FAILURES, ""), 0),
        number(pod.annotations().getOrDefault(IGNORED_INDEX_FAILURES, ""), 0),
        PodFailure.of(status),
        Toleration.of(spec.tolerations()));
  }

  /// Where [#BY_CONTROLLER] holds the pods of a namespace that have no owner.
  public static String orphansOf(String namespace) {
    return "orphans/" + namespace;
  }

  public ObjectKey key() {
    return metadata.key();
  }

  public String uid() {
    return metadata.uid();
  }

  public boolean terminating() {
    return metadata.beingDeleted();
  }

  /// It ran and will not run again.
  public boolean finished() {
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /// It counts: it has not finished and is not being deleted.
  public boolean active() {
    return !finished() && !terminating();
  }

  /// Ready for so long that it counts as available.
  public boolean available(Duration minReady, Instant now) {
    return ready && (minReady.isZero() || !readySince.plus(minReady).isAfter(now));
  }

  /// The owner that controls it, if one does.
  public Optional<OwnerReference> controller() {
    return ControllerRefManager.controller(metadata);
  }

  /// The node it is on, or is meant for.
  public String targetNode() {
    return nodeName.isEmpty() ? pinnedNode : nodeName;
  }

  private String ownerKey() {
    return controller().map(OwnerReference::uid).orElseGet(() -> orphansOf(metadata.namespace()));
  }

  private static String pinned(JsonNode affinity) {
    JsonNode terms =
        Json.at(
            affinity,
            "nodeAffinity",
            "requiredDuringSchedulingIgnoredDuringExecution",
            "nodeSelectorTerms");
    for (JsonNode term : terms) {
      for (JsonNode field : term.path("matchFields")) {
        if (Json.textOr(field, "", "key").equals("metadata.name")
            && Json.textOr(field, "", "operator").equals("In")
            && field.path("values").size() == 1) {
          return field.path("values").path(0).asString("").intern();
        }
      }
    }
    return "";
  }

  private static Optional<Instant> finished(V1Pod.Status status) {
    Optional<Instant> last = Optional.empty();
    for (V1Pod.ContainerStatus container : status.containers()) {
      Optional<Instant> ended = V1Times.parse(container.finishedAt());
      if (ended.isPresent() && (last.isEmpty() || ended.get().isAfter(last.get()))) {
        last = ended;
      }
    }
    return last;
  }

  private static int number(String text, int otherwise) {
    try {
      return text.isEmpty() ? otherwise : Integer.parseInt(text);
    } catch (NumberFormatException _) {
      return otherwise;
    }
  }
}
