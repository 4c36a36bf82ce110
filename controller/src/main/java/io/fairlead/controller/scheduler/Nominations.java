package io.fairlead.controller.scheduler;

import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// On which node others leave for which waiting pod. Until it is there, less important pods find
/// its space taken.
///
/// Guarded by its own monitor.
final class Nominations {
  private final Map<ObjectKey, PodInfo> nominated = new HashMap<>();

  /// @param pod a pod that waits
  synchronized void put(PodInfo pod, String node) {
    nominated.put(pod.key(), pod.on(node));
  }

  /// The node of that pod; empty when there is none.
  synchronized String node(ObjectKey key) {
    PodInfo pod = nominated.get(key);
    return pod == null ? "" : pod.nodeName();
  }

  synchronized void remove(ObjectKey key) {
    nominated.remove(key);
  }

  /// Takes it from the less important ones on a node that a pod is nominated to.
  synchronized void removeBelow(PodInfo pod, String node) {
    nominated
        .values()
        .removeIf(one -> one.nodeName().equals(node) && one.priority() < pod.priority());
  }

  /// The nodes as a pod finds them: with those on the way there that are as important as it is.
  synchronized List<NodeInfo> shownTo(PodInfo pod, List<NodeInfo> places) {
    if (nominated.isEmpty()) {
      return places;
    }
    Map<String, List<PodInfo>> byNode = new HashMap<>();
    for (PodInfo one : nominated.values()) {
      if (one.priority() >= pod.priority() && !one.key().equals(pod.key())) {
        byNode.computeIfAbsent(one.nodeName(), _ -> new ArrayList<>()).add(one);
      }
    }
    return places.stream()
        .map(
            place ->
                byNode.containsKey(place.name()) ? place.with(byNode.get(place.name())) : place)
        .toList();
  }
}
