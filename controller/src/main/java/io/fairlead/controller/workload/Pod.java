package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.placement.Toleration;
import io.fairlead.controller.runtime.InformerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
/// @param ending how it failed, if it did
public record Pod(
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
    Ending ending,
    List<Toleration> tolerations)
    implements HasMetadata {
  public static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

  /// By the uid of the controller that owns it; those without one by [#orphansOf].
  public static final String BY_CONTROLLER = "controller";

  public static final String BY_NODE = "node";

  /// The pods of all who share them.
  public static final InformerKind<Pod> KIND =
      InformerKind.of(ResourceType.PODS, Pod::of)
          .indexedBy(BY_CONTROLLER, pod -> List.of(pod.ownerKey()))
          .indexedBy(BY_NODE, pod -> List.of(pod.nodeName));

  public Pod {
    tolerations = List.copyOf(tolerations);
  }

  public static Pod of(ObjectNode object) {
    JsonNode spec = object.path("spec");
    JsonNode status = object.path("status");
    JsonNode annotations = Json.at(object, "metadata", "annotations");
    JsonNode ready = Conditions.find(status, "Ready");
    int restarts = 0;
    for (JsonNode container : status.path("containerStatuses")) {
      restarts += container.path("restartCount").asInt(0);
    }
    return new Pod(
        ObjectMeta.of(object),
        Times.at(object, "metadata", "creationTimestamp").orElse(Instant.EPOCH),
        Json.textOr(status, "", "phase").intern(),
        Json.textOr(status, "", "reason").intern(),
        Json.textOr(spec, "", "nodeName").intern(),
        pinned(spec),
        Json.textOr(ready, "", "status").equals("True"),
        Times.at(ready, "lastTransitionTime").orElse(Instant.EPOCH),
        finished(status),
        restarts,
        number(Json.textOr(annotations, "", DELETION_COST), 0),
        number(Json.textOr(annotations, "", COMPLETION_INDEX), -1),
        Ending.of(status),
        Toleration.of(spec.path("tolerations")));
  }

  /// Where [#BY_CONTROLLER] holds the pods of a namespace that nobody owns.
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
    return Owners.controller(metadata);
  }

  /// The node it is on, or is meant for.
  public String targetNode() {
    return nodeName.isEmpty() ? pinnedNode : nodeName;
  }

  private String ownerKey() {
    return controller().map(OwnerReference::uid).orElseGet(() -> orphansOf(metadata.namespace()));
  }

  private static String pinned(JsonNode spec) {
    JsonNode terms =
        Json.at(
            spec,
            "affinity",
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

  private static Optional<Instant> finished(JsonNode status) {
    Optional<Instant> last = Optional.empty();
    for (JsonNode container : status.path("containerStatuses")) {
      Optional<Instant> ended = Times.at(container, "state", "terminated", "finishedAt");
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
