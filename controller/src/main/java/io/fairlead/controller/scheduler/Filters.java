package io.fairlead.controller.scheduler;

import io.fairlead.controller.placement.Taint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Which nodes a pod may be on, and why not on the others (spec/controllers.md 4.11). For every
/// node the first kind of objection counts.
final class Filters {
  private final PodInfo pod;
  private final PodTopologySpread spread;
  private final InterPodAffinity neighbours;

  Filters(PodInfo pod, List<NodeInfo> places) {
    this.pod = pod;
    this.spread =
        new PodTopologySpread(
            pod, pod.spread().stream().filter(SpreadConstraint::hard).toList(), places);
    this.neighbours = new InterPodAffinity(pod, places);
  }

  /// What speaks against a node; empty when nothing does.
  List<String> objections(NodeInfo place) {
    List<String> alone = objectionsOfNodeAlone(pod, place);
    if (!alone.isEmpty()) {
      return alone;
    }
    return spread
        .objection(place)
        .or(() -> neighbours.objection(place))
        .map(List::of)
        .orElse(List.of());
  }

  /// What speaks against a node whatever there is on the others.
  static List<String> objectionsOfNodeAlone(PodInfo pod, NodeInfo place) {
    if (place.node().unschedulable() && !toleratesCordon(pod)) {
      return List.of("node(s) were unschedulable");
    }
    Optional<Taint> taint = place.untolerated(pod);
    if (taint.isPresent()) {
      return List.of("node(s) had untolerated taint " + taint.get());
    }
    if (!pod.nodes().matches(place.node())) {
      return List.of("node(s) didn't match Pod's node affinity/selector");
    }
    if (portTaken(pod, place)) {
      return List.of("node(s) didn't have free ports for the requested pod ports");
    }
    return place.lacks(pod);
  }

  private static boolean toleratesCordon(PodInfo pod) {
    return new Taint(Taint.UNSCHEDULABLE, "", Taint.NO_SCHEDULE).toleratedBy(pod.tolerations());
  }

  private static boolean portTaken(PodInfo pod, NodeInfo place) {
    return place.pods().values().stream()
        .flatMap(other -> other.hostPorts().stream())
        .anyMatch(taken -> pod.hostPorts().stream().anyMatch(taken::clashes));
  }

  /// `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.`
  ///
  /// @param nodes how many there are
  /// @param counted how many of them each objection is about
  static String message(int nodes, Map<String, Integer> counted) {
    if (nodes == 0) {
      return "no nodes available to schedule pods";
    }
    List<String> parts =
        new TreeMap<>(counted)
            .entrySet().stream().map(one -> one.getValue() + " " + one.getKey()).sorted().toList();
    return "0/" + nodes + " nodes are available: " + String.join(", ", parts) + ".";
  }
}
