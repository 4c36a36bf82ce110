package io.fairlead.controller.job;

import io.fairlead.api.json.Json;
import io.fairlead.controller.workload.Conditions;
import io.fairlead.controller.workload.Pod;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.controller.workload.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a Job does next, and what it tells. Pure (spec/controllers.md 4.6).
///
/// @param status as it shall be
/// @param create indexes to make pods for, -1 for each where they are alike
/// @param delete pods to delete
/// @param release pods whose end is written down in that status
record JobStep(
    ObjectNode status, List<Integer> create, List<Pod> delete, List<Pod> release, Tally tally) {

  /// Why it cannot succeed any more.
  private record Failure(String reason, String message) {}

  static JobStep of(Job job, List<Pod> pods, Instant now) {
    Tally tally = Tally.of(job, pods);
    List<Pod> active =
        pods.stream()
            .filter(Pod::active)
            .sorted(
                Comparator.comparing(Pod::ready)
                    .thenComparing(Comparator.comparing(Pod::created).reversed()))
            .toList();
    long terminating = pods.stream().filter(pod -> pod.terminating() && !pod.finished()).count();
    ObjectNode status = StatusWriter.copy(job.object());
    if (job.started().isEmpty() && !job.suspended()) {
      status.put("startTime", Times.text(now));
    }
    tally.write(status, job.indexed());
    StatusWriter.count(status, "active", active.size());
    status.put("ready", active.stream().filter(Pod::ready).count());
    status.put("terminating", terminating);
    boolean quiet = active.isEmpty() && terminating == 0 && tally.settled();
    List<Integer> create = List.of();
    List<Pod> delete = List.of();
    Optional<Failure> failure = failure(job, tally, active, now);
    if (failure.isPresent()) {
      fail(status, failure.get(), quiet, now);
      delete = active;
    } else if (succeeded(job, tally, active)) {
      succeed(status, quiet, now);
      delete = active;
    } else if (suspended(job, status, now)) {
      delete = active;
    } else {
      int wanted = Math.min(job.parallelism(), job.remaining(tally.succeeded()));
      if (job.completions().isEmpty() && tally.succeeded() > 0) {
        wanted = active.size(); // the others may finish, no more are begun
      }
      delete = active.subList(0, Math.max(0, active.size() - wanted));
      long there = active.size() + (job.replacesFailed() ? terminating : 0);
      create = create(job, tally, pods, active, (int) Math.max(0, wanted - there));
    }
    return new JobStep(status, create, delete, tally.toRelease(), tally);
  }

  private static boolean succeeded(Job job, Tally tally, List<Pod> active) {
    return job.completions().isPresent()
        ? tally.succeeded() >= job.completions().getAsInt()
        : tally.succeeded() > 0 && active.isEmpty();
  }

  private static Optional<Failure> failure(Job job, Tally tally, List<Pod> active, Instant now) {
    JsonNode told = Conditions.find(job.status(), Job.FAILURE_TARGET);
    if (told.isObject()) {
      return Optional.of(
          new Failure(Json.textOr(told, "", "reason"), Json.textOr(told, "", "message")));
    }
    if (tally.fatal().isPresent()) {
      return Optional.of(new Failure("PodFailurePolicy", tally.fatal().get()));
    }
    int restarts = active.stream().mapToInt(Pod::restarts).sum();
    boolean restartedTooOften = job.restarts() && restarts > 0 && restarts >= job.backoffLimit();
    if (tally.failed() > job.backoffLimit() || restartedTooOften) {
      return Optional.of(
          new Failure("BackoffLimitExceeded", "Job has reached the specified backoff limit"));
    }
    boolean late =
        job.deadline()
            .flatMap(limit -> job.started().map(begun -> begun.plus(limit)))
            .filter(end -> !job.suspended() && !end.isAfter(now))
            .isPresent();
    return late
        ? Optional.of(
            new Failure("DeadlineExceeded", "Job was active longer than specified deadline"))
        : Optional.empty();
  }

  private static void fail(ObjectNode status, Failure failure, boolean quiet, Instant now) {
    say(status, Job.FAILURE_TARGET, "True", failure.reason(), failure.message(), now);
    if (quiet) {
      say(status, Job.FAILED, "True", failure.reason(), failure.message(), now);
    }
  }

  private static void succeed(ObjectNode status, boolean quiet, Instant now) {
    String message = "Reached expected number of succeeded pods";
    say(status, "SuccessCriteriaMet", "True", "CompletionsReached", message, now);
    if (quiet) {
      say(status, Job.COMPLETE, "True", "CompletionsReached", message, now);
      status.put("completionTime", Times.text(now));
    }
  }

  /// Whether it is suspended; says so, or that it goes on, when that has changed.
  private static boolean suspended(Job job, ObjectNode status, Instant now) {
    boolean told = Conditions.isTrue(status, "Suspended");
    if (job.suspended()) {
      say(status, "Suspended", "True", "JobSuspended", "Job suspended", now);
      status.remove("startTime");
    } else if (told) {
      say(status, "Suspended", "False", "JobResumed", "Job resumed", now);
      status.put("startTime", Times.text(now));
    }
    return job.suspended();
  }

  private static void say(
      ObjectNode status, String type, String value, String reason, String message, Instant now) {
    if (Conditions.set(status, type, value, reason, message, false, now)
        && Conditions.find(status, type) instanceof ObjectNode condition) {
      condition.put("lastProbeTime", Times.text(now));
    }
  }

  private static List<Integer> create(
      Job job, Tally tally, List<Pod> pods, List<Pod> active, int count) {
    List<Integer> create = new ArrayList<>();
    Set<Integer> taken = new TreeSet<>(tally.completed());
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
        create.add(index);
      }
    }
    return create;
  }
}
