package io.fairlead.controller.scheduler;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which nodes a pod's wishes about other pods rule out, and those of other pods about it. Computed
/// once for a pod, asked for every node.
final class InterPodAffinity {
  private record Domain(String key, String value) {}

  private final PodInfo pod;
  // For each of the pod's own terms, the domains where a matching pod is.
  private final Map<PodAffinityTerm, Set<Domain>> matching = new HashMap<>();
  // Domains where some pod does not want this one.
  private final Set<Domain> refusedByOthers = new HashSet<>();
  private final boolean firstOfItsKind;

  InterPodAffinity(PodInfo pod, List<NodeInfo> places) {
    this.pod = pod;
    for (NodeInfo place : places) {
      for (PodInfo other : place.pods().values()) {
        pod.requiredTogether().forEach(term -> note(term, other, place));
        pod.requiredApart().forEach(term -> note(term, other, place));
        for (PodAffinityTerm term : other.requiredApart()) {
          String value = place.domain(term.topologyKey());
          if (value != null && term.matches(pod)) {
            refusedByOthers.add(new Domain(term.topologyKey(), value));
          }
        }
      }
    }
    this.firstOfItsKind =
        pod.requiredTogether().stream()
            .allMatch(term -> term.matches(pod) && matching.getOrDefault(term, Set.of()).isEmpty());
  }

  private void note(PodAffinityTerm term, PodInfo other, NodeInfo place) {
    String value = place.domain(term.topologyKey());
    if (value != null && term.matches(other)) {
      matching
          .computeIfAbsent(term, _ -> new HashSet<>())
          .add(new Domain(term.topologyKey(), value));
    }
  }

  /// Why the pod may not be on that node; empty when it may.
  Optional<String> objection(NodeInfo place) {
    for (PodAffinityTerm term : pod.requiredTogether()) {
      String value = place.domain(term.topologyKey());
      if (value == null || (!firstOfItsKind && !near(term, value))) {
        return Optional.of("node(s) didn't match pod affinity rules");
      }
    }
    for (PodAffinityTerm term : pod.requiredApart()) {
      String value = place.domain(term.topologyKey());
      if (value != null && near(term, value)) {
        return Optional.of("node(s) didn't match pod anti-affinity rules");
      }
    }
    for (Domain domain : refusedByOthers) {
      if (domain.value().equals(place.domain(domain.key()))) {
        return Optional.of("node(s) didn't satisfy existing pods anti-affinity rules");
      }
    }
    return Optional.empty();
  }

  private boolean near(PodAffinityTerm term, String value) {
    return matching.getOrDefault(term, Set.of()).contains(new Domain(term.topologyKey(), value));
  }

  /// How much pods around a node want this one near, or it them: positive and negative weights.
  static Map<String, Long> attraction(PodInfo pod, List<NodeInfo> places) {
    Map<Domain, Long> weights = new HashMap<>();
    for (NodeInfo place : places) {
      for (PodInfo other : place.pods().values()) {
        for (PodInfo.Weighted<PodAffinityTerm> one : pod.preferredTogether()) {
          add(weights, one.wish(), other, place, one.weight());
        }
        for (PodInfo.Weighted<PodAffinityTerm> one : pod.preferredApart()) {
          add(weights, one.wish(), other, place, -one.weight());
        }
        for (PodAffinityTerm term : other.requiredTogether()) {
          add(weights, term, pod, place, 1);
        }
        for (PodInfo.Weighted<PodAffinityTerm> one : other.preferredTogether()) {
          add(weights, one.wish(), pod, place, one.weight());
        }
        for (PodInfo.Weighted<PodAffinityTerm> one : other.preferredApart()) {
          add(weights, one.wish(), pod, place, -one.weight());
        }
      }
    }
    Map<String, Long> sums = new HashMap<>();
    for (NodeInfo place : places) {
      long sum = 0;
      for (Map.Entry<Domain, Long> one : weights.entrySet()) {
        if (one.getKey().value().equals(place.domain(one.getKey().key()))) {
          sum += one.getValue();
        }
      }
      sums.put(place.name(), sum);
    }
    return sums;
  }

  private static void add(
      Map<Domain, Long> weights, PodAffinityTerm term, PodInfo who, NodeInfo where, long weight) {
    String value = where.domain(term.topologyKey());
    if (value != null && term.matches(who)) {
      weights.merge(new Domain(term.topologyKey(), value), weight, Long::sum);
    }
  }
}
