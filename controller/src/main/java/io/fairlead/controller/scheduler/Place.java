package io.fairlead.controller.scheduler;

import io.fairlead.client.ObjectKey;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.placement.Taint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A node and the pods that hold a place on it. Immutable.
///
/// @param used what they ask for together, by resource
/// @param usedForScore the same with assumptions for those that ask for nothing
record Place(
    Node node,
    Map<ObjectKey, PodToPlace> pods,
    Map<String, Long> used,
    Map<String, Long> usedForScore) {

  static Place of(Node node, Map<ObjectKey, PodToPlace> pods) {
    Map<String, Long> used = new LinkedHashMap<>();
    Map<String, Long> usedForScore = new LinkedHashMap<>();
    for (PodToPlace pod : pods.values()) {
      pod.requests().forEach((resource, amount) -> used.merge(resource, amount, Long::sum));
      pod.scoreRequests()
          .forEach((resource, amount) -> usedForScore.merge(resource, amount, Long::sum));
    }
    return new Place(node, Map.copyOf(pods), used, usedForScore);
  }

  String name() {
    return node.name();
  }

  /// The value of a label of the node; null when it has none.
  @org.jspecify.annotations.Nullable String domain(String topologyKey) {
    return node.metadata().labels().get(topologyKey);
  }

  /// The first taint that keeps a pod away.
  Optional<Taint> untolerated(PodToPlace pod) {
    for (Taint taint : node.taints()) {
      if (!taint.effect().equals(Taint.PREFER_NO_SCHEDULE)
          && !taint.toleratedBy(pod.tolerations())) {
        return Optional.of(taint);
      }
    }
    return Optional.empty();
  }

  /// What is missing here for a pod, in words; empty when it fits.
  List<String> lacks(PodToPlace pod) {
    List<String> reasons = new ArrayList<>();
    if (pods.size() + 1 > node.allocatable().getOrDefault("pods", 0L)) {
      reasons.add("Too many pods");
    }
    pod.requests()
        .forEach(
            (resource, asked) -> {
              long free =
                  node.allocatable().getOrDefault(resource, 0L) - used.getOrDefault(resource, 0L);
              if (asked > 0 && asked > free) {
                reasons.add("Insufficient " + resource);
              }
            });
    return reasons;
  }
}
