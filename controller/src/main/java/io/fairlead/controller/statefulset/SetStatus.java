package io.fairlead.controller.statefulset;

import io.fairlead.api.json.Json;
import io.fairlead.controller.history.Revision;
import io.fairlead.controller.workload.Pod;
import io.fairlead.controller.workload.StatusWriter;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What a StatefulSet tells about its pods and versions.
final class SetStatus {
  private SetStatus() {}

  static ObjectNode of(
      StatefulSet set, List<Pod> pods, Revision current, Revision newest, Instant now) {
    int ready = 0;
    int available = 0;
    int ofCurrent = 0;
    int ofNewest = 0;
    for (Pod pod : pods) {
      boolean runs = pod.phase().equals("Running") && pod.ready();
      ready += runs ? 1 : 0;
      available += runs && pod.available(set.minReady(), now) ? 1 : 0;
      if (!pod.terminating()) {
        ofCurrent += SetPlan.revision(pod).equals(current.name()) ? 1 : 0;
        ofNewest += SetPlan.revision(pod).equals(newest.name()) ? 1 : 0;
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
