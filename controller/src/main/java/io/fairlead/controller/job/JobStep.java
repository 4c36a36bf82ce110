package io.fairlead.controller.job;

import io.fairlead.api.json.Json;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a Job does next, and its status. Pure (spec/controllers.md 4.6).
///
/// @param status as it shall be
/// @param create indexes to make pods for, -1 for each where they are alike
/// @param delete pods to delete
/// @param pause until an index that failed may be tried again
/// @param release pods whose end is written down in that status
record JobStep(
    ObjectNode status,
    List<Integer> create,
    Optional<Duration> pause,
    List<WorkloadPod> delete,
    List<WorkloadPod> release,
    FinishedPodCounter tally) {

  /// Why it has ended, well or not.
  private record Verdict(String reason, String message) {}

  /// What is to be tried next, and when the rest is.
  private record NextIndexes(List<Integer> create, Optional<Duration> pause) {
    static final NextIndexes NONE = new NextIndexes(List.of(), Optional.empty());
  }

  static JobStep of(Job job, List<WorkloadPod> pods, Instant now) {
    FinishedPodCounter tally = FinishedPodCounter.of(job, pods, false);
    List<WorkloadPod> active =
        pods.stream()
            .filter(WorkloadPod::active)
            .sorted(
                Comparator.comparing(WorkloadPod::ready)
                    .thenComparing(Comparator.comparing(WorkloadPod::created).reversed()))
            .toList();
    long terminating = pods.stream().filter(pod -> pod.terminating() && !pod.finished()).count();
    ObjectNode status = StatusWriter.copy(job.object());
    if (job.started().isEmpty() && !job.suspended()) {
      status.put("startTime", Rfc3339Times.text(now));
    }
    Optional<Verdict> success = success(job, tally, active);
    Optional<Verdict> failure =
        isDecided(job) ? Optional.empty() : failure(job, tally, active, now);
    if (success.isPresent() || failure.isPresent()) {
      tally = FinishedPodCounter.of(job, pods, true);
    }
    tally.write(status, job);
    StatusWriter.count(status, "active", active.size());
    status.put("ready", active.stream().filter(WorkloadPod::ready).count());
    status.put("terminating", terminating);
    boolean quiet = active.isEmpty() && terminating == 0 && tally.settled();
    NextIndexes next = NextIndexes.NONE;
    List<WorkloadPod> delete = List.of();
    if (failure.isPresent()) {
      fail(status, failure.get(), quiet, now);
      delete = active;
    } else if (success.isPresent()) {
      succeed(status, success.get(), quiet, now);
      delete = active;
    } else if (suspended(job, status, now)) {
      delete = active;
    } else {
      int wanted =
          Math.min(
              job.parallelism(),
              job.remaining(tally.succeeded() + tally.indexes().failed().size()));
      if (job.completions().isEmpty() && tally.succeeded() > 0) {
        wanted = active.size(); // the others may finish, no more are begun
      }
      delete = active.subList(0, Math.max(0, active.size() - wanted));
      long there = active.size() + (job.replacesFailed() ? terminating : 0);
      next = next(job, tally, pods, active, (int) Math.max(0, wanted - there), now);
    }
    return new JobStep(status, next.create(), next.pause(), delete, tally.toRelease(), tally);
  }

  /// Whether it was said before that it succeeds; what fails after that changes nothing.
  private static boolean isDecided(Job job) {
    return StatusConditions.isTrue(job.status(), Job.SUCCESS_CRITERIA_MET);
  }

  /// Why it has succeeded, if it has.
  private static Optional<Verdict> success(
      Job job, FinishedPodCounter tally, List<WorkloadPod> active) {
    if (isDecided(job)) {
      JsonNode told = StatusConditions.find(job.status(), Job.SUCCESS_CRITERIA_MET);
      return Optional.of(
          new Verdict(Json.textOr(told, "", "reason"), Json.textOr(told, "", "message")));
    }
    // Before what every Job has: where both are met, the policy is the reason.
    Optional<String> matched =
        job.indexed() ? job.successPolicy().matched(tally.completed()) : Optional.empty();
    if (matched.isPresent()) {
      return Optional.of(new Verdict("SuccessPolicy", matched.get()));
    }
    boolean complete =
        job.completions().isPresent()
            ? tally.succeeded() >= job.completions().getAsInt()
            : tally.succeeded() > 0 && active.isEmpty();
    return complete
        ? Optional.of(
            new Verdict("CompletionsReached", "Reached expected number of succeeded pods"))
        : Optional.empty();
  }

  private static Optional<Verdict> failure(
      Job job, FinishedPodCounter tally, List<WorkloadPod> active, Instant now) {
    JsonNode told = StatusConditions.find(job.status(), Job.FAILURE_TARGET);
    if (told.isObject()) {
      return Optional.of(
          new Verdict(Json.textOr(told, "", "reason"), Json.textOr(told, "", "message")));
    }
    if (tally.fatal().isPresent()) {
      return Optional.of(new Verdict("PodFailurePolicy", tally.fatal().get()));
    }
    Optional<Verdict> indexes = ofIndexes(job, tally);
    if (indexes.isPresent()) {
      return indexes;
    }
    int restarts = active.stream().mapToInt(WorkloadPod::restarts).sum();
    boolean restartedTooOften = job.restarts() && restarts > 0 && restarts >= job.backoffLimit();
    if (tally.failed() > job.backoffLimit() || restartedTooOften) {
      return Optional.of(
          new Verdict("BackoffLimitExceeded", "Job has reached the specified backoff limit"));
    }
    boolean late =
        job.deadline()
            .flatMap(limit -> job.started().map(begun -> begun.plus(limit)))
            .filter(end -> !job.suspended() && !end.isAfter(now))
            .isPresent();
    return late
        ? Optional.of(
            new Verdict("DeadlineExceeded", "Job was active longer than specified deadline"))
        : Optional.empty();
  }

  private static Optional<Verdict> ofIndexes(Job job, FinishedPodCounter tally) {
    int failed = tally.indexes().failed().size();
    if (job.maxFailedIndexes().isPresent() && failed > job.maxFailedIndexes().getAsInt()) {
      return Optional.of(
          new Verdict(
              "MaxFailedIndexesExceeded",
              "Job has exceeded the specified maximal number of failed indexes"));
    }
    boolean over = failed + tally.completed().size() >= job.completions().orElse(0);
    return failed > 0 && over
        ? Optional.of(new Verdict("FailedIndexes", "Job has failed indexes"))
        : Optional.empty();
  }

  private static void fail(ObjectNode status, Verdict failure, boolean quiet, Instant now) {
    say(status, Job.FAILURE_TARGET, "True", failure.reason(), failure.message(), now);
    if (quiet) {
      say(status, Job.FAILED, "True", failure.reason(), failure.message(), now);
    }
  }

  private static void succeed(ObjectNode status, Verdict why, boolean quiet, Instant now) {
    say(status, Job.SUCCESS_CRITERIA_MET, "True", why.reason(), why.message(), now);
    if (quiet) {
      say(status, Job.COMPLETE, "True", why.reason(), why.message(), now);
      status.put("completionTime", Rfc3339Times.text(now));
    }
  }

  /// Whether it is suspended; says so, or that it goes on, when that has changed.
  private static boolean suspended(Job job, ObjectNode status, Instant now) {
    boolean told = StatusConditions.isTrue(status, "Suspended");
    if (job.suspended()) {
      say(status, "Suspended", "True", "JobSuspended", "Job suspended", now);
      status.remove("startTime");
    } else if (told) {
      say(status, "Suspended", "False", "JobResumed", "Job resumed", now);
      status.put("startTime", Rfc3339Times.text(now));
    }
    return job.suspended();
  }

  private static void say(
      ObjectNode status, String type, String value, String reason, String message, Instant now) {
    if (StatusConditions.set(status, type, value, reason, message, false, now)
        && StatusConditions.find(status, type) instanceof ObjectNode condition) {
      condition.put("lastProbeTime", Rfc3339Times.text(now));
    }
  }

  private static NextIndexes next(
      Job job,
      FinishedPodCounter tally,
      List<WorkloadPod> pods,
      List<WorkloadPod> active,
      int count,
      Instant now) {
    List<Integer> create = new ArrayList<>();
    List<Duration> waits = new ArrayList<>();
    Set<Integer> taken = new TreeSet<>(tally.completed());
    taken.addAll(tally.indexes().failed());
    active.forEach(pod -> taken.add(pod.completionIndex()));
    if (job.replacesFailed()) {
      pods.stream().filter(pod -> !pod.finished()).forEach(pod -> taken.add(pod.completionIndex()));
    }
    for (int index = 0; create.size() < count; index++) {
      if (!job.indexed()) {
        create.add(-1);
      } else if (index >= job.completions().orElse(0)) {
        break;
      } else if (!taken.contains(index)) {
        Optional<Duration> wait = tally.indexes().pause(index, now);
        if (wait.isEmpty()) {
          create.add(index);
        }
        waits.addAll(wait.stream().toList());
      }
    }
    return new NextIndexes(create, waits.stream().min(Duration::compareTo));
  }
}
