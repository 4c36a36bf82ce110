package io.fairlead.controller.daemonset;

import io.fairlead.controller.placement.Node;
import io.fairlead.controller.placement.Taint;
import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.IntOrPercent;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// What a DaemonSet does next. Pure: from the set, the nodes, and its pods (spec/controllers.md
/// 4.5).
///
/// @param create nodes to make a pod for
/// @param delete pods to delete
/// @param failed those of them that had failed, to be replaced after a pause
record DaemonPlan(Set<String> create, List<WorkloadPod> delete, List<WorkloadPod> failed) {
  private static final Comparator<WorkloadPod> OLDEST_FIRST =
      Comparator.comparing(WorkloadPod::created).thenComparing(pod -> pod.key().name());

  /// Whether a node gets a pod, and whether one that is there may stay.
  record Fit(boolean run, boolean stay) {}

  static Fit fit(DaemonSet set, Node node) {
    boolean named = set.nodeName().isEmpty() || set.nodeName().equals(node.name());
    if (!named || !set.nodes().matches(node)) {
      return new Fit(false, false);
    }
    boolean schedule = true;
    boolean stay = true;
    for (Taint taint : node.taints()) {
      boolean tolerated = taint.toleratedBy(set.tolerations());
      schedule &= tolerated || taint.effect().equals(Taint.PREFER_NO_SCHEDULE);
      stay &= tolerated || !taint.effect().equals(Taint.NO_EXECUTE);
    }
    return new Fit(schedule, stay);
  }

  /// The set's pods by the node they are on or meant for.
  static Map<String, List<WorkloadPod>> byNode(Collection<WorkloadPod> pods) {
    Map<String, List<WorkloadPod>> all = new TreeMap<>();
    pods.forEach(pod -> all.computeIfAbsent(pod.targetNode(), _ -> new ArrayList<>()).add(pod));
    return all;
  }

  static DaemonPlan of(
      DaemonSet set,
      Collection<Node> nodes,
      Collection<WorkloadPod> pods,
      ControllerRevision newest,
      Instant now) {
    Map<String, List<WorkloadPod>> placed = byNode(pods);
    Map<String, Node> known = new LinkedHashMap<>();
    nodes.forEach(node -> known.put(node.name(), node));
    Set<String> create = new LinkedHashSet<>();
    List<WorkloadPod> delete = new ArrayList<>();
    List<WorkloadPod> failed = new ArrayList<>();
    int surge = surge(set, nodes);
    for (Node node : nodes) {
      List<WorkloadPod> here = placed.getOrDefault(node.name(), List.of());
      Fit fit = fit(set, node);
      if (fit.run() && here.isEmpty()) {
        create.add(node.name());
      } else if (!fit.stay()) {
        here.stream().filter(pod -> !pod.terminating()).forEach(delete::add);
      } else {
        List<WorkloadPod> living = new ArrayList<>();
        for (WorkloadPod pod : here) {
          if (pod.terminating()) {
            continue;
          }
          if (pod.phase().equals("Failed")) {
            failed.add(pod);
          } else {
            living.add(pod);
          }
        }
        delete.addAll(surplus(living, newest, surge > 0));
      }
    }
    // Pods that were meant for a node that is gone and never got there.
    placed.forEach(
        (name, there) -> {
          if (!known.containsKey(name)) {
            there.stream()
                .filter(pod -> pod.nodeName().isEmpty() && !pod.terminating())
                .forEach(delete::add);
          }
        });
    if (set.rolling()) {
      roll(set, nodes, placed, newest, surge, now, create, delete);
    }
    return new DaemonPlan(create, delete, failed);
  }

  /// Of several on one node the oldest stays; during a roll-out with surge one of each version.
  private static List<WorkloadPod> surplus(
      List<WorkloadPod> living, ControllerRevision newest, boolean surging) {
    if (!surging) {
      return living.stream().sorted(OLDEST_FIRST).skip(1).toList();
    }
    List<WorkloadPod> more = new ArrayList<>();
    for (boolean updated : new boolean[] {true, false}) {
      living.stream()
          .filter(pod -> isNew(pod, newest) == updated)
          .sorted(OLDEST_FIRST)
          .skip(1)
          .forEach(more::add);
    }
    return more;
  }

  private static int desired(DaemonSet set, Collection<Node> nodes) {
    return (int) nodes.stream().filter(node -> fit(set, node).run()).count();
  }

  private static int surge(DaemonSet set, Collection<Node> nodes) {
    return IntOrPercent.of(set.rollingUpdate().path("maxSurge"), desired(set, nodes), true, 0);
  }

  private static void roll(
      DaemonSet set,
      Collection<Node> nodes,
      Map<String, List<WorkloadPod>> placed,
      ControllerRevision newest,
      int surge,
      Instant now,
      Set<String> create,
      List<WorkloadPod> delete) {
    int unavailable =
        IntOrPercent.of(
            set.rollingUpdate().path("maxUnavailable"),
            desired(set, nodes),
            true,
            surge > 0 ? 0 : 1);
    int budget = surge > 0 ? surge : Math.max(1, unavailable);
    List<WorkloadPod> free = new ArrayList<>();
    List<WorkloadPod> candidates = new ArrayList<>();
    for (Node node : nodes) {
      if (!fit(set, node).run()) {
        continue;
      }
      List<WorkloadPod> living =
          placed.getOrDefault(node.name(), List.of()).stream()
              .filter(pod -> !pod.terminating() && !pod.phase().equals("Failed"))
              .filter(pod -> !delete.contains(pod))
              .toList();
      Optional<WorkloadPod> old = living.stream().filter(pod -> !isNew(pod, newest)).findFirst();
      Optional<WorkloadPod> fresh = living.stream().filter(pod -> isNew(pod, newest)).findFirst();
      boolean freshServes = fresh.filter(pod -> pod.available(set.minReady(), now)).isPresent();
      if (surge > 0) {
        if (old.isPresent() && fresh.isPresent()) {
          budget--;
          if (freshServes) {
            delete.add(old.get());
          }
        } else if (old.isPresent()) {
          (old.get().available(set.minReady(), now) ? candidates : free).add(old.get());
        }
      } else if (old.isPresent()) {
        boolean serves = old.get().available(set.minReady(), now);
        (serves ? candidates : free).add(old.get());
        budget -= serves ? 0 : 1;
      } else if (!freshServes) {
        budget--;
      }
    }
    List<WorkloadPod> turn = new ArrayList<>(free);
    turn.addAll(candidates.subList(0, Math.clamp(budget, 0, candidates.size())));
    if (surge > 0) {
      turn.forEach(pod -> create.add(pod.targetNode()));
    } else {
      delete.addAll(turn);
    }
  }

  static boolean isNew(WorkloadPod pod, ControllerRevision newest) {
    return newest.hash().equals(pod.metadata().labels().get(ControllerRevision.POD_LABEL));
  }
}
