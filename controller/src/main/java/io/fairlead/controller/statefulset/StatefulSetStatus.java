package io.fairlead.controller.statefulset;

import io.fairlead.api.json.Json;
import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The status of a StatefulSet: its pods and versions.
final class StatefulSetStatus {
  private StatefulSetStatus() {}

  static ObjectNode of(
      StatefulSet set,
      List<WorkloadPod> pods,
      ControllerRevision current,
      ControllerRevision newest,
      Instant now) {
    int ready = 0;
    int available = 0;
    int ofCurrent = 0;
    int ofNewest = 0;
    for (WorkloadPod pod : pods) {
      boolean runs = pod.phase().equals("Running") && pod.ready();
      ready += runs ? 1 : 0;
      available += runs && pod.available(set.minReady(), now) ? 1 : 0;
      if (!pod.terminating()) {
        ofCurrent += StatefulSetPlan.revision(pod).equals(current.name()) ? 1 : 0;
        ofNewest += StatefulSetPlan.revision(pod).equals(newest.name()) ? 1 : 0;
      }
    }
    boolean done =
        set.rolling()
            && ofNewest == pods.size()
            && ready == pods.size()
            && pods.size() == set.replicas();
    String name = done ? newest.name() : current.name();
    ObjectNode status = StatusWriter.copy(set.object());
    StatusWriter.count(status, "observedGeneration", set.metadata().generation());
    status.put("replicas", pods.size());
    StatusWriter.count(status, "readyReplicas", ready);
    StatusWriter.count(status, "currentReplicas", done ? ofNewest : ofCurrent);
    StatusWriter.count(status, "updatedReplicas", ofNewest);
    status.put("currentRevision", name).put("updateRevision", newest.name());
    if (!status.has("collisionCount")) {
      status.put("collisionCount", 0);
    }
    status.put("availableReplicas", available);
    return status;
  }

  /// The version that pods have which are not rolled yet, by name.
  static String current(StatefulSet set) {
    return Json.textOr(set.status(), "", "currentRevision");
  }
}
