package io.fairlead.controller.garbage;

import io.fairlead.controller.placement.Node;
import io.fairlead.controller.placement.Taint;
import io.fairlead.controller.workload.WorkloadPod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The pods that no other component deletes. Pure (spec/controllers.md 4.9).
///
/// @param delete finished or never started: deleted as they are
/// @param fail on a node that is gone or out of service: marked as failed first
record PodGarbage(List<WorkloadPod> delete, List<WorkloadPod> fail) {
  /// @param threshold so many finished pods may stay
  /// @param nodeIsGone whether a node that is not in the list has been missing for long enough
  static PodGarbage of(
      Collection<WorkloadPod> pods,
      Collection<Node> nodes,
      int threshold,
      Predicate<String> nodeIsGone) {
    Map<String, Node> byName = nodes.stream().collect(Collectors.toMap(Node::name, node -> node));
    List<WorkloadPod> delete = new ArrayList<>(finishedBeyond(pods, threshold));
    List<WorkloadPod> fail = new ArrayList<>();
    for (WorkloadPod pod : pods) {
      if (pod.nodeName().isEmpty()) {
        if (pod.terminating()) {
          delete.add(pod);
        }
        continue;
      }
      Node node = byName.get(pod.nodeName());
      if (node == null) {
        if (nodeIsGone.test(pod.nodeName())) {
          fail.add(pod);
        }
      } else if (pod.terminating() && !node.ready() && outOfService(node)) {
        fail.add(pod);
      }
    }
    return new PodGarbage(delete, fail);
  }

  private static boolean outOfService(Node node) {
    return node.taints().stream().anyMatch(taint -> taint.key().equals(Taint.OUT_OF_SERVICE));
  }

  /// The oldest of the finished ones beyond the threshold, those that were evicted before others.
  private static List<WorkloadPod> finishedBeyond(Collection<WorkloadPod> pods, int threshold) {
    List<WorkloadPod> finished = pods.stream().filter(WorkloadPod::finished).toList();
    int beyond = finished.size() - threshold;
    if (threshold <= 0 || beyond <= 0) {
      return List.of();
    }
    return finished.stream()
        .sorted(
            Comparator.<WorkloadPod, Boolean>comparing(pod -> !pod.reason().equals("Evicted"))
                .thenComparing(WorkloadPod::created)
                .thenComparing(WorkloadPod::uid))
        .limit(beyond)
        .toList();
  }
}
