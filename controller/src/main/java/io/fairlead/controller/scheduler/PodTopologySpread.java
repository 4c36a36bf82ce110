package io.fairlead.controller.scheduler;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How the pods that a constraint is about are spread now. Computed once for a pod, asked for every
/// node.
final class PodTopologySpread {
  static final String UNEVEN = "node(s) didn't match pod topology spread constraints";
  static final String NO_LABEL = UNEVEN + " (missing required label)";

  private final PodInfo pod;
  private final Map<SpreadConstraint, Map<String, Long>> counts = new HashMap<>();

  /// @param constraints the hard ones, or the soft ones
  PodTopologySpread(PodInfo pod, List<SpreadConstraint> constraints, List<NodeInfo> places) {
    this.pod = pod;
    for (SpreadConstraint constraint : constraints) {
      Map<String, Long> perDomain = new HashMap<>();
      for (NodeInfo place : places) {
        String value = place.domain(constraint.topologyKey());
        if (value == null || !constraint.counts(pod, place)) {
          continue;
        }
        long matching =
            place.pods().values().stream()
                .filter(other -> constraint.counts(other, pod.namespace()))
                .count();
        perDomain.merge(value, matching, Long::sum);
      }
      counts.put(constraint, perDomain);
    }
  }

  /// Why the pod may not be on that node; empty when it may.
  Optional<String> objection(NodeInfo place) {
    for (Map.Entry<SpreadConstraint, Map<String, Long>> one : counts.entrySet()) {
      SpreadConstraint constraint = one.getKey();
      String value = place.domain(constraint.topologyKey());
      if (value == null) {
        return Optional.of(NO_LABEL);
      }
      Map<String, Long> domains = one.getValue();
      long least =
          domains.size() < constraint.minDomains()
              ? 0
              : domains.values().stream().mapToLong(Long::longValue).min().orElse(0);
      long self = constraint.selector().matches(pod.labels()) ? 1 : 0;
      if (domains.getOrDefault(value, 0L) + self - least > constraint.maxSkew()) {
        return Optional.of(UNEVEN);
      }
    }
    return Optional.empty();
  }

  /// How crowded the node's surroundings are already: less is better.
  double crowding(NodeInfo place) {
    double sum = 0;
    for (Map.Entry<SpreadConstraint, Map<String, Long>> one : counts.entrySet()) {
      String value = place.domain(one.getKey().topologyKey());
      if (value != null) {
        // The more domains there are, the more one pod in one of them weighs.
        double weight = Math.log(one.getValue().size() + 2.0);
        sum += one.getValue().getOrDefault(value, 0L) * weight + one.getKey().maxSkew() - 1;
      }
    }
    return sum;
  }
}
