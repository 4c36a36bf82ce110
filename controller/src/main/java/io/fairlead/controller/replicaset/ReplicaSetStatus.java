package io.fairlead.controller.replicaset;

import io.fairlead.api.json.Json;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The status of a ReplicaSet and its pods.
final class ReplicaSetStatus {
  static final String REPLICA_FAILURE = "ReplicaFailure";

  /// What went wrong with the last step.
  ///
  /// @param reason `FailedCreate` or `FailedDelete`
  record Failure(String reason, String message) {}

  private ReplicaSetStatus() {}

  /// @param countsTerminating whether the kind has a number for pods on their way out
  static ObjectNode of(
      ReplicaSet set,
      List<WorkloadPod> pods,
      Optional<Failure> failure,
      boolean countsTerminating,
      Instant now) {
    Map<String, String> labels = templateLabels(set);
    int replicas = 0;
    int fullyLabeled = 0;
    int ready = 0;
    int available = 0;
    int terminating = 0;
    for (WorkloadPod pod : pods) {
      if (pod.terminating() && !pod.finished()) {
        terminating++;
      }
      if (!pod.active()) {
        continue;
      }
      replicas++;
      fullyLabeled += pod.metadata().labels().entrySet().containsAll(labels.entrySet()) ? 1 : 0;
      ready += pod.ready() ? 1 : 0;
      available += pod.available(set.minReady(), now) ? 1 : 0;
    }
    ObjectNode status = StatusWriter.copy(set.object());
    status.put("replicas", replicas);
    StatusWriter.count(status, "fullyLabeledReplicas", fullyLabeled);
    StatusWriter.count(status, "readyReplicas", ready);
    StatusWriter.count(status, "availableReplicas", available);
    if (countsTerminating) {
      status.put("terminatingReplicas", terminating);
    }
    StatusWriter.count(status, "observedGeneration", set.metadata().generation());
    if (failure.isPresent()) {
      StatusConditions.set(
          status,
          REPLICA_FAILURE,
          "True",
          failure.get().reason(),
          failure.get().message(),
          false,
          now);
    } else {
      StatusConditions.remove(status, REPLICA_FAILURE);
    }
    return status;
  }

  private static Map<String, String> templateLabels(ReplicaSet set) {
    Map<String, String> labels = new java.util.LinkedHashMap<>();
    Json.at(set.object().body(), "spec", "template", "metadata", "labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
    return labels;
  }
}
