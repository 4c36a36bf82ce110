package io.fairlead.controller.statefulset;

import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What a StatefulSet does next. Pure: from the set, its pods and the two versions of its template
/// (spec/controllers.md 4.4).
///
/// @param create ordinals to make a pod for
/// @param delete pods to delete
record StatefulSetPlan(List<PodCreation> create, List<WorkloadPod> delete) {
  /// @param fromNewest from the newest version of the template, or from the current one
  record PodCreation(int ordinal, boolean fromNewest) {}

  private static final class Draft {
    private final List<PodCreation> create = new ArrayList<>();
    private final List<WorkloadPod> delete = new ArrayList<>();

    StatefulSetPlan done() {
      return new StatefulSetPlan(create, delete);
    }
  }

  /// @param pods the set's own, each with an ordinal
  /// @param newest name of the newest version
  static StatefulSetPlan of(
      StatefulSet set,
      List<WorkloadPod> pods,
      ControllerRevision current,
      ControllerRevision newest,
      Instant now) {
    TreeMap<Integer, WorkloadPod> wanted = new TreeMap<>();
    List<WorkloadPod> condemned = new ArrayList<>();
    for (WorkloadPod pod : pods) {
      int ordinal = set.ordinal(pod.key().name());
      if (set.wants(ordinal)) {
        wanted.put(ordinal, pod);
      } else {
        condemned.add(pod);
      }
    }
    condemned.sort(
        Comparator.<WorkloadPod>comparingInt(pod -> set.ordinal(pod.key().name())).reversed());
    Draft draft = new Draft();
    boolean steady = fill(set, wanted, current, newest, now, draft);
    if (!steady || !shrink(set, wanted, condemned, now, draft)) {
      return draft.done();
    }
    if (set.rolling()) {
      roll(set, wanted, newest, now, draft);
    }
    return draft.done();
  }

  /// Makes what is missing, lowest first. Says whether to go on.
  private static boolean fill(
      StatefulSet set,
      TreeMap<Integer, WorkloadPod> wanted,
      ControllerRevision current,
      ControllerRevision newest,
      Instant now,
      Draft draft) {
    for (int ordinal = set.start(); ordinal < set.start() + set.replicas(); ordinal++) {
      WorkloadPod pod = wanted.get(ordinal);
      if (pod == null) {
        draft.create.add(new PodCreation(ordinal, fromNewest(set, ordinal, current, newest)));
        if (set.ordered()) {
          return false;
        }
      } else if (pod.finished()) {
        if (!pod.terminating()) {
          draft.delete.add(pod);
        }
        if (set.ordered()) {
          return false;
        }
      } else if (set.ordered() && !healthy(set, pod, now)) {
        return false;
      }
    }
    return draft.create.isEmpty() && draft.delete.isEmpty();
  }

  /// A pod below the partition, or one that the roll-out has not reached, keeps the old version.
  private static boolean fromNewest(
      StatefulSet set, int ordinal, ControllerRevision current, ControllerRevision newest) {
    if (!set.rolling() || current.name().equals(newest.name())) {
      return true;
    }
    boolean partitioned = set.spec().path("updateStrategy").path("rollingUpdate").isObject();
    int kept = partitioned ? set.partition() : set.status().path("currentReplicas").asInt(0);
    return ordinal >= set.start() + kept;
  }

  /// Deletes what is too much, highest first. Says whether to go on.
  private static boolean shrink(
      StatefulSet set,
      TreeMap<Integer, WorkloadPod> wanted,
      List<WorkloadPod> condemned,
      Instant now,
      Draft draft) {
    Optional<WorkloadPod> firstUnhealthy =
        wanted.values().stream()
            .filter(pod -> !healthy(set, pod, now))
            .findFirst()
            .or(
                () ->
                    condemned.reversed().stream()
                        .filter(pod -> !healthy(set, pod, now))
                        .findFirst());
    for (WorkloadPod pod : condemned) {
      if (pod.terminating()) {
        if (set.ordered()) {
          return false;
        }
        continue;
      }
      boolean mayGo = healthy(set, pod, now) || firstUnhealthy.filter(pod::equals).isPresent();
      if (set.ordered() && !mayGo) {
        return false;
      }
      draft.delete.add(pod);
      if (set.ordered()) {
        return false;
      }
    }
    return draft.delete.isEmpty();
  }

  /// Replaces pods of an old version, highest first, waiting for each.
  private static void roll(
      StatefulSet set,
      TreeMap<Integer, WorkloadPod> wanted,
      ControllerRevision newest,
      Instant now,
      Draft draft) {
    int allowed = set.maxUnavailable();
    for (Map.Entry<Integer, WorkloadPod> one : wanted.descendingMap().entrySet()) {
      if (one.getKey() < set.start() + set.partition() || allowed <= 0) {
        return;
      }
      WorkloadPod pod = one.getValue();
      boolean old = !newest.name().equals(revision(pod));
      if (old && !pod.terminating()) {
        draft.delete.add(pod);
        allowed--;
      } else if (!healthy(set, pod, now)) {
        allowed--;
      }
    }
  }

  static String revision(WorkloadPod pod) {
    return pod.metadata().labels().getOrDefault(ControllerRevision.POD_LABEL, "");
  }

  /// It runs, is ready for long enough and stays.
  static boolean healthy(StatefulSet set, WorkloadPod pod, Instant now) {
    return pod.active() && pod.available(set.minReady(), now);
  }
}
