package io.fairlead.controller.job;

import io.fairlead.api.json.Json;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.controller.workload.WorkloadPod;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// How many pods of a Job have succeeded and failed, counted so that none is lost and none counts
/// twice, whatever fails in between.
///
/// How it works: a pod that has ended is first written down as uncounted in the status; only then
/// its finalizer is taken away, and only when that is seen it moves from the list to the number. A
/// pod with a finalizer that is not in the list is new; one in the list without a finalizer, or
/// that is gone, is counted.
final class FinishedPodCounter {
  private int succeeded;
  private int failed;
  private final Set<Integer> completed;
  private final Set<String> uncountedSucceeded = new LinkedHashSet<>();
  private final Set<String> uncountedFailed = new LinkedHashSet<>();
  private final List<WorkloadPod> toRelease = new ArrayList<>();
  private Optional<String> fatal = Optional.empty();
  private IndexFailures indexes = IndexFailures.NONE;

  private FinishedPodCounter(JsonNode status) {
    succeeded = status.path("succeeded").asInt(0);
    failed = status.path("failed").asInt(0);
    completed = CompletionIndexes.parse(Json.textOr(status, "", "completedIndexes"));
    JsonNode uncounted = status.path("uncountedTerminatedPods");
    uncounted.path("succeeded").forEach(uid -> uncountedSucceeded.add(uid.asString("")));
    uncounted.path("failed").forEach(uid -> uncountedFailed.add(uid.asString("")));
  }

  /// @param ended the Job has ended: no pod is held for its successor
  static FinishedPodCounter of(Job job, List<WorkloadPod> pods, boolean ended) {
    FinishedPodCounter tally = new FinishedPodCounter(job.status());
    tally.judgeIndexes(job, pods, ended);
    Map<String, WorkloadPod> byUid =
        pods.stream().collect(Collectors.toMap(WorkloadPod::uid, Function.identity()));
    tally.succeeded += count(tally.uncountedSucceeded, byUid);
    tally.failed += count(tally.uncountedFailed, byUid);
    for (WorkloadPod pod : pods) {
      if (!JobPod.isTracked(pod)) {
        continue;
      }
      if (pod.phase().equals("Succeeded")) {
        boolean index = pod.completionIndex() >= 0;
        if (job.indexed() && index) {
          // An index counts once, however many of its pods succeed.
          if (tally.completed.add(pod.completionIndex())) {
            tally.uncountedSucceeded.add(pod.uid());
          }
        } else {
          tally.uncountedSucceeded.add(pod.uid());
        }
        tally.toRelease.add(pod);
      } else if (hasFailed(job, pod) && !tally.indexes.holds(pod)) {
        tally.failed(pod, job.failurePolicy());
      }
    }
    return tally;
  }

  private void judgeIndexes(Job job, List<WorkloadPod> pods, boolean ended) {
    Set<Integer> done = new TreeSet<>(completed);
    pods.stream()
        .filter(pod -> pod.phase().equals("Succeeded"))
        .forEach(pod -> done.add(pod.completionIndex()));
    Set<Integer> before = CompletionIndexes.parse(Json.textOr(job.status(), "", "failedIndexes"));
    if (job.hasVerdict()) {
      // Pods that are deleted now fail because of the verdict, not the other way round.
      indexes = new IndexFailures(before, Map.of());
      return;
    }
    IndexFailures judged = IndexFailures.of(job, pods, before, done);
    indexes = ended ? judged.released() : judged;
  }

  static boolean hasFailed(Job job, WorkloadPod pod) {
    return pod.phase().equals("Failed")
        || (!pod.finished() && pod.terminating() && !mayStillEnd(job, pod));
  }

  /// Whether a pod on its way out will tell how it ended, and the Job waits for that.
  private static boolean mayStillEnd(Job job, WorkloadPod pod) {
    return job.replacesFailed() && !pod.nodeName().isEmpty();
  }

  private void failed(WorkloadPod pod, FailurePolicy policy) {
    FailurePolicy.Decision verdict = policy.judge(pod);
    if (verdict.action().equals(FailurePolicy.FAIL_JOB) && fatal.isEmpty()) {
      fatal = Optional.of(verdict.message());
    }
    if (!verdict.action().equals(FailurePolicy.IGNORE)) {
      uncountedFailed.add(pod.uid());
    }
    toRelease.add(pod);
  }

  /// Counts those whose finalizer is gone, and takes them out of the list.
  private static int count(Set<String> uncounted, Map<String, WorkloadPod> byUid) {
    int before = uncounted.size();
    uncounted.removeIf(
        uid -> {
          WorkloadPod pod = byUid.get(uid);
          return pod == null || !JobPod.isTracked(pod);
        });
    return before - uncounted.size();
  }

  /// All that succeeded, in the number or on the list.
  int succeeded() {
    return succeeded + uncountedSucceeded.size();
  }

  int failed() {
    return failed + uncountedFailed.size();
  }

  /// Why the failure of one pod is that of the whole Job, if it is.
  Optional<String> fatal() {
    return fatal;
  }

  /// Whether every pod that ended is in the numbers.
  boolean settled() {
    return uncountedSucceeded.isEmpty() && uncountedFailed.isEmpty() && toRelease.isEmpty();
  }

  IndexFailures indexes() {
    return indexes;
  }

  Set<Integer> completed() {
    return new TreeSet<>(completed);
  }

  /// Those whose finalizer may go once this tally is written.
  List<WorkloadPod> toRelease() {
    return toRelease;
  }

  void write(ObjectNode status, Job job) {
    StatusWriter.count(status, "succeeded", succeeded);
    StatusWriter.count(status, "failed", failed);
    ObjectNode uncounted = status.putObject("uncountedTerminatedPods");
    list(uncounted, "succeeded", uncountedSucceeded);
    list(uncounted, "failed", uncountedFailed);
    if (job.indexed() && !completed.isEmpty()) {
      status.put("completedIndexes", CompletionIndexes.text(completed));
    }
    if (job.limitPerIndex().isPresent()) {
      status.put("failedIndexes", CompletionIndexes.text(indexes.failed()));
    }
  }

  private static void list(ObjectNode into, String key, Set<String> uids) {
    if (!uids.isEmpty()) {
      ArrayNode list = into.putArray(key);
      uids.forEach(list::add);
    }
  }
}
