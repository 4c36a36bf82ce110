package io.fairlead.controller.replicaset;

import io.fairlead.controller.workload.WorkloadPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Which pods go when there are too many: those that are missed least (spec/controllers.md 4.2).
///
/// The times that pods have been ready, or there at all, are compared by the order of magnitude
/// only, so that not always the newest zone is emptied; within one, the uid decides.
final class PodDeletionRanking {
  private PodDeletionRanking() {}

  /// The first so many in the order in which they go.
  ///
  /// @param onNode how many pods of the same family each node has
  static List<WorkloadPod> choose(
      List<WorkloadPod> pods, Map<String, Integer> onNode, int count, Instant now) {
    return pods.stream().sorted(order(onNode, now)).limit(count).toList();
  }

  static Comparator<WorkloadPod> order(Map<String, Integer> onNode, Instant now) {
    return Comparator.<WorkloadPod>comparingInt(pod -> pod.nodeName().isEmpty() ? 0 : 1)
        .thenComparingInt(PodDeletionRanking::phase)
        .thenComparing(WorkloadPod::ready)
        .thenComparingInt(WorkloadPod::deletionCost)
        .thenComparing(
            Comparator.<WorkloadPod>comparingInt(pod -> onNode.getOrDefault(pod.nodeName(), 0))
                .reversed())
        .thenComparingInt(pod -> pod.ready() ? magnitude(pod.readySince(), now) : 0)
        .thenComparing(Comparator.comparingInt(WorkloadPod::restarts).reversed())
        .thenComparingInt(pod -> magnitude(pod.created(), now))
        .thenComparing(WorkloadPod::uid);
  }

  private static int phase(WorkloadPod pod) {
    return switch (pod.phase()) {
      case "Pending", "" -> 0;
      case "Unknown" -> 1;
      default -> 2;
    };
  }

  /// Larger for longer.
  private static int magnitude(Instant since, Instant now) {
    long seconds = Math.max(0, Duration.between(since, now).toSeconds());
    return seconds == 0 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(seconds);
  }
}
