package io.fairlead.controller.scheduler;

import io.fairlead.client.ObjectKey;
import io.fairlead.controller.placement.Node;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All nodes with their pods, kept while things change, and with the pods that were just sent to a
/// node before the server has confirmed it. A change costs as much as one node has pods.
///
/// Guarded by its own monitor; what it hands out is immutable.
final class SchedulerCache {
  private final TreeMap<String, NodeInfo> places = new TreeMap<>();
  // Where each pod is; also on nodes that are not known (yet).
  private final Map<ObjectKey, PodInfo> placed = new HashMap<>();
  private @Nullable List<NodeInfo> list;

  synchronized void put(Node node) {
    Map<ObjectKey, PodInfo> pods = new LinkedHashMap<>();
    placed.values().stream()
        .filter(pod -> pod.nodeName().equals(node.name()))
        .forEach(pod -> pods.put(pod.key(), pod));
    NodeInfo old = places.get(node.name());
    places.put(node.name(), NodeInfo.of(node, old == null ? pods : old.pods()));
    list = null;
  }

  synchronized void removeNode(String name) {
    places.remove(name);
    list = null;
  }

  /// A pod as the server shows it. One that has no place there, though it was sent to one, keeps it
  /// until the server has confirmed or refused.
  synchronized void put(PodInfo pod) {
    PodInfo known = placed.get(pod.key());
    boolean assumed =
        known != null
            && pod.nodeName().isEmpty()
            && known.metadata().uid().equals(pod.metadata().uid());
    if (assumed && !pod.finished()) {
      return;
    }
    remove(pod.key());
    if (pod.holdsPlace()) {
      place(pod);
    }
  }

  /// Sends a pod to a node, before the server has the binding.
  synchronized void assume(PodInfo pod, String node) {
    place(pod.on(node));
  }

  /// The pod is gone, or could not be sent where it was meant to be.
  synchronized void remove(ObjectKey key) {
    PodInfo known = placed.remove(key);
    if (known == null) {
      return;
    }
    NodeInfo place = places.get(known.nodeName());
    if (place != null) {
      Map<ObjectKey, PodInfo> pods = new LinkedHashMap<>(place.pods());
      pods.remove(key);
      places.put(place.name(), NodeInfo.of(place.node(), pods));
      list = null;
    }
  }

  private void place(PodInfo pod) {
    placed.put(pod.key(), pod);
    NodeInfo place = places.get(pod.nodeName());
    if (place != null) {
      Map<ObjectKey, PodInfo> pods = new LinkedHashMap<>(place.pods());
      pods.put(pod.key(), pod);
      places.put(place.name(), NodeInfo.of(place.node(), pods));
      list = null;
    }
  }

  /// All of them now, by name.
  synchronized List<NodeInfo> all() {
    List<NodeInfo> known = list;
    if (known == null) {
      known = List.copyOf(places.values());
      list = known;
    }
    return known;
  }
}
