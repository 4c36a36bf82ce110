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
/// @param places how many of them count against the node's number of pods
/// @param used what they ask for together, by resource
/// @param usedForScore the same with assumptions for those that ask for nothing
record NodeInfo(
    Node node,
    Map<ObjectKey, PodInfo> pods,
    int places,
    Map<String, Long> used,
    Map<String, Long> usedForScore) {
  /// The label of pods that only show a component of the node's own process.
  private static final String COMPONENT = "fairlead.dev/component";

  static NodeInfo of(Node node, Map<ObjectKey, PodInfo> pods) {
    Map<String, Long> used = new LinkedHashMap<>();
    Map<String, Long> usedForScore = new LinkedHashMap<>();
    int places = 0;
    for (PodInfo pod : pods.values()) {
      places += showsComponent(pod) ? 0 : 1;
      pod.requests().forEach((resource, amount) -> used.merge(resource, amount, Long::sum));
      pod.scoreRequests()
          .forEach((resource, amount) -> usedForScore.merge(resource, amount, Long::sum));
    }
    return new NodeInfo(node, Map.copyOf(pods), places, used, usedForScore);
  }

  /// Such a pod belongs to its Node.
  private static boolean showsComponent(PodInfo pod) {
    return pod.metadata().labels().containsKey(COMPONENT)
        && pod.metadata().ownerReferences().stream().anyMatch(one -> one.kind().equals("Node"));
  }

  /// The same node with more pods.
  NodeInfo with(List<PodInfo> more) {
    Map<ObjectKey, PodInfo> all = new LinkedHashMap<>(pods);
    more.forEach(pod -> all.put(pod.key(), pod));
    return of(node, all);
  }

  /// The same node without some of its pods.
  NodeInfo without(List<PodInfo> gone) {
    Map<ObjectKey, PodInfo> rest = new LinkedHashMap<>(pods);
    gone.forEach(pod -> rest.remove(pod.key()));
    return of(node, rest);
  }

  String name() {
    return node.name();
  }

  /// The value of a label of the node; null when it has none.
  @org.jspecify.annotations.Nullable String domain(String topologyKey) {
    return node.metadata().labels().get(topologyKey);
  }

  /// The first taint that keeps a pod away.
  Optional<Taint> untolerated(PodInfo pod) {
    for (Taint taint : node.taints()) {
      if (!taint.effect().equals(Taint.PREFER_NO_SCHEDULE)
          && !taint.toleratedBy(pod.tolerations())) {
        return Optional.of(taint);
      }
    }
    return Optional.empty();
  }

  /// What is missing here for a pod, in words; empty when it fits.
  List<String> lacks(PodInfo pod) {
    List<String> reasons = new ArrayList<>();
    if (places + 1 > node.allocatable().getOrDefault("pods", 0L)) {
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
