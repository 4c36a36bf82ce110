package io.fairlead.controller.job;

import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What became of the indexes of a Job that limits the failures of each (`backoffLimitPerIndex`).
///
/// How it works: how often an index failed is written on its pods. So the last failed pod of an
/// index is held by its finalizer until its successor, which carries the next number, exists.
///
/// @param failed indexes that are not tried again
/// @param held the last failed pod of each index that has no successor yet
record IndexFailures(Set<Integer> failed, Map<Integer, WorkloadPod> held) {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(10));

  /// Of a Job that counts failures for all indexes together.
  static final IndexFailures NONE = new IndexFailures(Set.of(), Map.of());

  IndexFailures {
    failed = Set.copyOf(failed);
    held = Map.copyOf(held);
  }

  /// @param before those that failed earlier
  /// @param completed those that succeeded
  static IndexFailures of(
      Job job, Iterable<WorkloadPod> pods, Set<Integer> before, Set<Integer> completed) {
    if (job.limitPerIndex().isEmpty()) {
      return NONE;
    }
    Set<Integer> failed = new TreeSet<>(before);
    Map<Integer, WorkloadPod> held = new HashMap<>();
    for (WorkloadPod pod : pods) {
      if (!FinishedPodCounter.hasFailed(job, pod)) {
        continue;
      }
      if (fails(job, pod)) {
        failed.add(pod.completionIndex());
      } else if (JobPod.isTracked(pod)) {
        held.merge(pod.completionIndex(), pod, IndexFailures::later);
      }
    }
    failed.removeAll(completed);
    held.keySet().removeAll(failed);
    held.keySet().removeAll(completed);
    for (WorkloadPod pod : pods) {
      if (pod.active()) {
        held.remove(pod.completionIndex());
      }
    }
    return new IndexFailures(failed, held);
  }

  /// Whether this failure is the last its index may have.
  private static boolean fails(Job job, WorkloadPod pod) {
    String action = job.failurePolicy().judge(pod).action();
    return action.equals(FailurePolicy.FAIL_INDEX)
        || (!action.equals(FailurePolicy.IGNORE)
            && pod.indexFailures() >= job.limitPerIndex().getAsInt());
  }

  private static WorkloadPod later(WorkloadPod one, WorkloadPod other) {
    return all(one) >= all(other) ? one : other;
  }

  private static int all(WorkloadPod pod) {
    return pod.indexFailures() + pod.ignoredIndexFailures();
  }

  boolean holds(WorkloadPod pod) {
    WorkloadPod last = held.get(pod.completionIndex());
    return last != null && last.uid().equals(pod.uid());
  }

  /// The same with nothing held: the Job has ended.
  IndexFailures released() {
    return new IndexFailures(failed, Map.of());
  }

  /// How long that index has to wait after its last failure; empty for not at all.
  Optional<Duration> pause(int index, Instant now) {
    WorkloadPod last = held.get(index);
    if (last == null) {
      return Optional.empty();
    }
    Instant next = last.finishedAt().orElse(last.created()).plus(BACKOFF.after(all(last)));
    return next.isAfter(now) ? Optional.of(Duration.between(now, next)) : Optional.empty();
  }

  /// What the next pod of that index says of the ones before it.
  Map<String, String> annotations(Job job, int index) {
    if (job.limitPerIndex().isEmpty()) {
      return Map.of();
    }
    WorkloadPod last = held.get(index);
    if (last == null) {
      return Map.of(WorkloadPod.INDEX_FAILURES, "0");
    }
    boolean ignored = job.failurePolicy().judge(last).action().equals(FailurePolicy.IGNORE);
    Map<String, String> annotations = new HashMap<>();
    annotations.put(
        WorkloadPod.INDEX_FAILURES, Integer.toString(last.indexFailures() + (ignored ? 0 : 1)));
    int skipped = last.ignoredIndexFailures() + (ignored ? 1 : 0);
    if (skipped > 0) {
      annotations.put(WorkloadPod.IGNORED_INDEX_FAILURES, Integer.toString(skipped));
    }
    return annotations;
  }
}
