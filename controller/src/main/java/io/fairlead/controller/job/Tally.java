package io.fairlead.controller.job;

import io.fairlead.api.json.Json;
import io.fairlead.controller.workload.Pod;
import io.fairlead.controller.workload.StatusWriter;
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
final class Tally {
  private int succeeded;
  private int failed;
  private final Set<Integer> completed;
  private final Set<String> uncountedSucceeded = new LinkedHashSet<>();
  private final Set<String> uncountedFailed = new LinkedHashSet<>();
  private final List<Pod> toRelease = new ArrayList<>();
  private Optional<String> fatal = Optional.empty();

  private Tally(JsonNode status) {
    succeeded = status.path("succeeded").asInt(0);
    failed = status.path("failed").asInt(0);
    completed = Indexes.parse(Json.textOr(status, "", "completedIndexes"));
    JsonNode uncounted = status.path("uncountedTerminatedPods");
    uncounted.path("succeeded").forEach(uid -> uncountedSucceeded.add(uid.asString("")));
    uncounted.path("failed").forEach(uid -> uncountedFailed.add(uid.asString("")));
  }

  static Tally of(Job job, List<Pod> pods) {
    Tally tally = new Tally(job.status());
    Map<String, Pod> byUid = pods.stream().collect(Collectors.toMap(Pod::uid, Function.identity()));
    tally.succeeded += count(tally.uncountedSucceeded, byUid);
    tally.failed += count(tally.uncountedFailed, byUid);
    for (Pod pod : pods) {
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
      } else if (pod.phase().equals("Failed") || (pod.terminating() && !mayStillEnd(job, pod))) {
        tally.failed(pod, job.failurePolicy());
      }
    }
    return tally;
  }

  /// Whether a pod on its way out will tell how it ended, and the Job waits for that.
  private static boolean mayStillEnd(Job job, Pod pod) {
    return job.replacesFailed() && !pod.nodeName().isEmpty();
  }

  private void failed(Pod pod, FailurePolicy policy) {
    FailurePolicy.Verdict verdict = policy.judge(pod);
    if (verdict.action().equals(FailurePolicy.FAIL_JOB) && fatal.isEmpty()) {
      fatal = Optional.of(verdict.message());
    }
    if (!verdict.action().equals(FailurePolicy.IGNORE)) {
      uncountedFailed.add(pod.uid());
    }
    toRelease.add(pod);
  }

  /// Counts those whose finalizer is gone, and takes them out of the list.
  private static int count(Set<String> uncounted, Map<String, Pod> byUid) {
    int before = uncounted.size();
    uncounted.removeIf(
        uid -> {
          Pod pod = byUid.get(uid);
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

  Set<Integer> completed() {
    return new TreeSet<>(completed);
  }

  /// Those whose finalizer may go once this tally is written.
  List<Pod> toRelease() {
    return toRelease;
  }

  void write(ObjectNode status, boolean indexed) {
    StatusWriter.count(status, "succeeded", succeeded);
    StatusWriter.count(status, "failed", failed);
    ObjectNode uncounted = status.putObject("uncountedTerminatedPods");
    list(uncounted, "succeeded", uncountedSucceeded);
    list(uncounted, "failed", uncountedFailed);
    if (indexed && !completed.isEmpty()) {
      status.put("completedIndexes", Indexes.text(completed));
    }
  }

  private static void list(ObjectNode into, String key, Set<String> uids) {
    if (!uids.isEmpty()) {
      ArrayNode list = into.putArray(key);
      uids.forEach(list::add);
    }
  }
}
