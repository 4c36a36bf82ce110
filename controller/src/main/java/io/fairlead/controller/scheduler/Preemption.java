package io.fairlead.controller.scheduler;

import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which pods have to leave which node so that a more important one finds a place. Pure.
///
/// How it works: a node is imagined without all pods that are less important. When the pod fits
/// there, they are let back, those that a budget protects and then the more important first, as
/// long as the pod still fits; who is left over has to go. Of all nodes that one is taken where the
/// least is lost.
final class Preemption {
  /// So many nodes with an answer are compared.
  private static final int COMPARED = 100;

  private static final Comparator<PodInfo> MOST_IMPORTANT =
      Comparator.comparingInt(PodInfo::priority)
          .reversed()
          .thenComparing(PodInfo::created)
          .thenComparing(pod -> pod.key().toString());

  /// @param pods the most important first; never empty
  /// @param violations how many of them a budget would keep
  record Victims(String node, List<PodInfo> pods, int violations) {
    /// The sum of what is lost; with an offset, so that more pods are more also below zero.
    private long weight() {
      return pods.stream().mapToLong(pod -> pod.priority() + (1L << 31)).sum();
    }
  }

  /// First what is least lost; the one whose most important victim has begun last.
  private static final Comparator<Victims> LEAST =
      Comparator.comparingInt(Victims::violations)
          .thenComparingInt(one -> one.pods().getFirst().priority())
          .thenComparingLong(Victims::weight)
          .thenComparingInt(one -> one.pods().size())
          .thenComparing(one -> one.pods().getFirst().created(), Comparator.reverseOrder());

  private final PodInfo pod;
  private final List<NodeInfo> places;
  private final List<EvictionAllowance> budgets;
  private final boolean othersMatter;

  private Preemption(PodInfo pod, List<NodeInfo> places, List<EvictionAllowance> budgets) {
    this.pod = pod;
    this.places = places;
    this.budgets = budgets;
    this.othersMatter =
        pod.spread().stream().anyMatch(SpreadConstraint::hard)
            || !pod.requiredTogether().isEmpty()
            || !pod.requiredApart().isEmpty()
            || places.stream()
                .flatMap(place -> place.pods().values().stream())
                .anyMatch(other -> !other.requiredApart().isEmpty());
  }

  /// Whether the pod may ask others to leave: not when its policy forbids it, nor while those leave
  /// that it asked before.
  ///
  /// @param nominated the node where others leave for it; empty when there is none
  static boolean mayPreempt(PodInfo pod, String nominated, List<NodeInfo> places) {
    return pod.preempts()
        && places.stream()
            .filter(place -> place.name().equals(nominated))
            .flatMap(place -> place.pods().values().stream())
            .noneMatch(
                other -> other.metadata().beingDeleted() && other.priority() < pod.priority());
  }

  /// Who has to go where; empty when the pod would not even fit then.
  static Optional<Victims> choose(
      PodInfo pod, List<NodeInfo> places, List<EvictionAllowance> budgets) {
    Preemption preemption = new Preemption(pod, places, budgets);
    return places.stream()
        .map(preemption::victims)
        .flatMap(Optional::stream)
        .limit(COMPARED)
        .min(LEAST);
  }

  private Optional<Victims> victims(NodeInfo place) {
    List<PodInfo> lower =
        place.pods().values().stream()
            .filter(other -> other.priority() < pod.priority() && !belongsToNode(other))
            .sorted(MOST_IMPORTANT)
            .toList();
    NodeInfo rest = place.without(lower);
    if (lower.isEmpty() || !fits(rest)) {
      return Optional.empty();
    }
    List<PodInfo> leaving = new ArrayList<>();
    List<PodInfo> kept = protectedPods(lower);
    int violations = 0;
    for (PodInfo one : kept) {
      NodeInfo back = rest.with(List.of(one));
      if (fits(back)) {
        rest = back;
      } else {
        leaving.add(one);
        violations++;
      }
    }
    for (PodInfo one : lower) {
      if (!kept.contains(one)) {
        NodeInfo back = rest.with(List.of(one));
        if (fits(back)) {
          rest = back;
        } else {
          leaving.add(one);
        }
      }
    }
    leaving.sort(MOST_IMPORTANT);
    return leaving.isEmpty()
        ? Optional.empty()
        : Optional.of(new Victims(place.name(), List.copyOf(leaving), violations));
  }

  /// What the node makes again by itself frees nothing.
  private static boolean belongsToNode(PodInfo pod) {
    return pod.metadata().ownerReferences().stream().anyMatch(one -> one.kind().equals("Node"));
  }

  /// Those that would have to stay if all of them went in this order.
  private List<PodInfo> protectedPods(List<PodInfo> lower) {
    Map<ObjectKey, Integer> left = new HashMap<>();
    budgets.forEach(budget -> left.put(budget.metadata().key(), budget.allowed()));
    List<PodInfo> found = new ArrayList<>();
    for (PodInfo one : lower) {
      boolean violates = false;
      for (EvictionAllowance budget : budgets) {
        if (budget.covers(one)) {
          violates |= left.merge(budget.metadata().key(), -1, Integer::sum) < 0;
        }
      }
      if (violates) {
        found.add(one);
      }
    }
    return found;
  }

  private boolean fits(NodeInfo changed) {
    if (!Filters.objectionsOfNodeAlone(pod, changed).isEmpty()) {
      return false;
    }
    if (!othersMatter) {
      return true;
    }
    List<NodeInfo> all =
        places.stream().map(one -> one.name().equals(changed.name()) ? changed : one).toList();
    return new Filters(pod, all).objections(changed).isEmpty();
  }
}
