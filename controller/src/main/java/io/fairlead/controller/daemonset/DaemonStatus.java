package io.fairlead.controller.daemonset;

import io.fairlead.controller.placement.Node;
import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The status of a DaemonSet: it counts nodes, not pods.
final class DaemonStatus {
  private DaemonStatus() {}

  static ObjectNode of(
      DaemonSet set,
      Collection<Node> nodes,
      Collection<WorkloadPod> pods,
      ControllerRevision newest,
      Instant now) {
    Map<String, List<WorkloadPod>> placed = DaemonPlan.byNode(pods);
    int desired = 0;
    int current = 0;
    int misplaced = 0;
    int ready = 0;
    int updated = 0;
    int available = 0;
    for (Node node : nodes) {
      List<WorkloadPod> here = placed.getOrDefault(node.name(), List.of());
      if (!DaemonPlan.fit(set, node).run()) {
        misplaced += here.isEmpty() ? 0 : 1;
        continue;
      }
      desired++;
      current += here.isEmpty() ? 0 : 1;
      Optional<WorkloadPod> first =
          here.stream()
              .min(
                  Comparator.comparing(WorkloadPod::ready)
                      .reversed()
                      .thenComparing(WorkloadPod::created));
      if (first.filter(WorkloadPod::ready).isPresent()) {
        ready++;
        available += first.get().available(set.minReady(), now) ? 1 : 0;
      }
      updated += here.stream().anyMatch(pod -> DaemonPlan.isNew(pod, newest)) ? 1 : 0;
    }
    ObjectNode status = StatusWriter.copy(set.object());
    status
        .put("currentNumberScheduled", current)
        .put("numberMisscheduled", misplaced)
        .put("desiredNumberScheduled", desired)
        .put("numberReady", ready);
    StatusWriter.count(status, "observedGeneration", set.metadata().generation());
    StatusWriter.count(status, "updatedNumberScheduled", updated);
    StatusWriter.count(status, "numberAvailable", available);
    StatusWriter.count(status, "numberUnavailable", desired - available);
    return status;
  }
}
