package io.fairlead.controller.deployment;

import io.fairlead.controller.replicaset.ReplicaSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How large each ReplicaSet of a Deployment shall be. Pure: sizes come from what was asked of
/// them, availability from what they report (spec/controllers.md 4.3).
final class ReplicaSetSizes {
  private ReplicaSetSizes() {}

  static int total(Collection<ReplicaSet> sets) {
    return sets.stream().mapToInt(ReplicaSet::replicas).sum();
  }

  static int available(Collection<ReplicaSet> sets) {
    return sets.stream().mapToInt(ReplicaSet::availableReplicas).sum();
  }

  /// The size of the newest one: as large as the limits allow now.
  ///
  /// @param current its size now, 0 when it is yet to be made
  /// @param total of all of them now
  static int newest(Deployment deployment, int current, int total) {
    if (!deployment.rolling() || current > deployment.replicas()) {
      return deployment.replicas();
    }
    int room = deployment.replicas() + deployment.maxSurge() - total;
    return current + Math.max(0, Math.min(room, deployment.replicas() - current));
  }

  /// New sizes of the old ones in a roll-out; those that stay are not in it. First go pods that are
  /// not ready, then as many others as may be missed.
  static Map<ReplicaSet, Integer> shrunk(
      Deployment deployment, ReplicaSet newest, List<ReplicaSet> old) {
    Map<ReplicaSet, Integer> sizes = new LinkedHashMap<>();
    List<ReplicaSet> all = new ArrayList<>(old);
    all.add(newest);
    int comingUp = newest.replicas() - newest.availableReplicas();
    int most = total(all) - deployment.minAvailable() - comingUp;
    if (total(old) == 0 || most <= 0) {
      return sizes;
    }
    List<ReplicaSet> oldestFirst = old.stream().sorted(DeploymentRevisions.OLDEST_FIRST).toList();
    int done = 0;
    for (ReplicaSet set : oldestFirst) {
      int unhealthy = Math.max(0, set.replicas() - set.availableReplicas());
      int less = Math.min(most - done, unhealthy);
      if (less > 0) {
        sizes.put(set, set.replicas() - less);
        done += less;
      }
    }
    int spare = available(all) - deployment.minAvailable();
    for (ReplicaSet set : oldestFirst) {
      int size = sizes.getOrDefault(set, set.replicas());
      int less = Math.min(spare, size);
      if (less > 0) {
        sizes.put(set, size - less);
        spare -= less;
      }
    }
    return sizes;
  }

  /// Whether the Deployment was scaled since its ReplicaSets got their sizes.
  static boolean scaled(Deployment deployment, Collection<ReplicaSet> sets) {
    for (ReplicaSet set : sets) {
      String desired = set.annotation(DeploymentRevisions.DESIRED);
      if (set.replicas() > 0
          && !desired.isEmpty()
          && !desired.equals(Integer.toString(deployment.replicas()))) {
        return true;
      }
    }
    return false;
  }

  /// Sizes after the Deployment itself was scaled: all grow and shrink in proportion.
  static Map<ReplicaSet, Integer> proportional(
      Deployment deployment, Optional<ReplicaSet> newest, List<ReplicaSet> old) {
    Map<ReplicaSet, Integer> sizes = new LinkedHashMap<>();
    Optional<ReplicaSet> only = onlyOne(newest, old);
    if (only.isPresent()) {
      if (only.get().replicas() != deployment.replicas()) {
        sizes.put(only.get(), deployment.replicas());
      }
      return sizes;
    }
    List<ReplicaSet> active = new ArrayList<>();
    newest.filter(set -> set.replicas() > 0).ifPresent(active::add);
    old.stream().filter(set -> set.replicas() > 0).forEach(active::add);
    if (newest.filter(set -> saturated(deployment, set)).isPresent()) {
      active.stream()
          .filter(set -> !set.equals(newest.get()))
          .sorted(DeploymentRevisions.OLDEST_FIRST)
          .forEach(set -> sizes.put(set, 0));
      return sizes;
    }
    if (deployment.rolling()) {
      spread(deployment, active, sizes);
    }
    return sizes;
  }

  private static void spread(
      Deployment deployment, List<ReplicaSet> active, Map<ReplicaSet, Integer> sizes) {
    int allowed = deployment.replicas() > 0 ? deployment.replicas() + deployment.maxSurge() : 0;
    int add = allowed - total(active);
    Comparator<ReplicaSet> byAge = Comparator.comparing(ReplicaSet::created);
    List<ReplicaSet> largestFirst =
        active.stream()
            .sorted(
                Comparator.comparingInt(ReplicaSet::replicas)
                    .reversed()
                    .thenComparing(add > 0 ? byAge.reversed() : byAge)
                    .thenComparing(ReplicaSet::name))
            .toList();
    int added = 0;
    for (ReplicaSet set : largestFirst) {
      int share = 0;
      if (add != 0 && add != added) {
        int left = add - added;
        int fair = fairShare(deployment, set);
        share = add > 0 ? Math.min(fair, left) : Math.max(fair, left);
      }
      sizes.put(set, set.replicas() + share);
      added += share;
    }
    if (add != 0 && !largestFirst.isEmpty()) {
      int rest = add - added;
      sizes.merge(largestFirst.getFirst(), rest, (size, more) -> Math.max(0, size + more));
    }
  }

  private static int fairShare(Deployment deployment, ReplicaSet set) {
    if (deployment.replicas() == 0) {
      return -set.replicas();
    }
    long before = parse(set.annotation(DeploymentRevisions.MAX));
    if (before == 0) {
      before = deployment.status().path("replicas").asLong(0);
    }
    if (before == 0) {
      return 0;
    }
    double size =
        (double) set.replicas() * (deployment.replicas() + deployment.maxSurge()) / before;
    return (int) (Math.round(size) - set.replicas());
  }

  private static long parse(String text) {
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private static boolean saturated(Deployment deployment, ReplicaSet set) {
    return set.replicas() == deployment.replicas()
        && set.availableReplicas() == deployment.replicas()
        && set.annotation(DeploymentRevisions.DESIRED)
            .equals(Integer.toString(deployment.replicas()));
  }

  /// The one ReplicaSet that has pods, or when none has, the newest.
  private static Optional<ReplicaSet> onlyOne(Optional<ReplicaSet> newest, List<ReplicaSet> old) {
    List<ReplicaSet> all = new ArrayList<>(old);
    newest.ifPresent(all::add);
    List<ReplicaSet> active = all.stream().filter(set -> set.replicas() > 0).toList();
    return switch (active.size()) {
      case 0 -> newest.or(() -> old.stream().max(DeploymentRevisions.OLDEST_FIRST));
      case 1 -> Optional.of(active.getFirst());
      default -> Optional.empty();
    };
  }
}
