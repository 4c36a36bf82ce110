package io.fairlead.controller.job;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.Expectations;
import io.fairlead.controller.workload.OwnerController;
import io.fairlead.controller.workload.PodControl;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs Jobs to their end, and deletes those whose time after it has passed. What is done next is a
/// [JobStep].
public final class JobController extends OwnerController<Job, WorkloadPod> {
  private static final String NAME = "job-controller";
  private static final Backoff AFTER_FAILURE =
      new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(10));

  /// How often pods failed since one last succeeded, and when the last did.
  private record Failures(int succeeded, int failed, int inARow, Instant last) {}

  private final Expectations written;
  private final PodControl control;
  private final Map<ObjectKey, Failures> failures = new ConcurrentHashMap<>();

  public JobController(ControllerContext wiring, int workers) {
    super(
        wiring,
        workers,
        Ownership.ofPods(NAME, Job.TYPE, Job.KIND, Job::selector),
        Duration.ofMinutes(10),
        List.of());
    this.written = new Expectations(owners, queue::add);
    this.control = new PodControl(client, wiring.events(NAME), Job.TYPE, expectations);
  }

  @Override
  protected boolean fresh(Job job) {
    return written.met(job.metadata().key(), List.of());
  }

  @Override
  protected Optional<Reconciler.Result> aside(Job job, List<WorkloadPod> mine) {
    if (job.managedElsewhere()) {
      return Optional.of(Reconciler.DONE);
    }
    if (!job.finished() && !job.metadata().beingDeleted()) {
      return Optional.empty();
    }
    mine.stream().filter(JobPod::isTracked).forEach(pod -> release(job, pod));
    return Optional.of(job.finished() ? expire(job, clock.instant()) : Reconciler.DONE);
  }

  @Override
  protected Reconciler.Result step(Job job, List<WorkloadPod> mine) {
    Instant now = clock.instant();
    return step(job, JobStep.of(job, mine, now), now);
  }

  @Override
  protected void forget(ObjectKey key) {
    written.forget(key);
    failures.remove(key);
    // Pods whose Job is gone must not be held for it.
    for (WorkloadPod pod : owned.list()) {
      if (pod.key().namespace().equals(key.namespace())
          && JobPod.isTracked(pod)
          && !isCounted(pod)) {
        dropFinalizer(pod);
      }
    }
  }

  /// Whether a Job that exists counts that pod. What is not known here is asked of the server.
  private boolean isCounted(WorkloadPod pod) {
    Optional<OwnerReference> owner = pod.controller();
    if (owner.isEmpty()) {
      return false;
    }
    if (!owner.get().kind().equals(Job.TYPE.kind())) {
      return true; // its owner's affair
    }
    ObjectKey key = new ObjectKey(pod.key().namespace(), owner.get().name());
    String uid = owner.get().uid();
    return isKnown(pod, owner.get())
        || client
            .findMetadata(Job.TYPE, key)
            .filter(job -> uid.equals(Json.text(job, "metadata", "uid")))
            .isPresent();
  }

  /// A pod that no Job counts any more would keep its finalizer for ever. Such pods are looked for
  /// under a key without a name, which no Job has.
  @Override
  protected void join() {
    owned.onChange(
        new EachChange<>(
            pod -> {
              boolean stray =
                  JobPod.isTracked(pod)
                      && pod.controller()
                          .filter(
                              owner -> !owner.kind().equals(Job.TYPE.kind()) || isKnown(pod, owner))
                          .isEmpty();
              if (stray) {
                queue.add(new ObjectKey(pod.key().namespace(), ""));
              }
            }));
  }

  private boolean isKnown(WorkloadPod pod, OwnerReference owner) {
    return owners
        .get(new ObjectKey(pod.key().namespace(), owner.name()))
        .filter(job -> job.metadata().uid().equals(owner.uid()))
        .isPresent();
  }

  private Reconciler.Result step(Job job, JobStep step, Instant now) {
    statuses
        .write(job.object(), step.status())
        .ifPresent(stored -> written.wrote(job.metadata().key(), stored));
    tell(job, step);
    step.release().forEach(pod -> release(job, pod));
    control.deleteAll(job.metadata(), step.delete());
    Optional<Duration> pause =
        job.limitPerIndex().isPresent() ? Optional.empty() : pause(job, step.tally(), now);
    if (pause.isEmpty()) {
      control.createSlowly(
          job.metadata(),
          Math.min(step.create().size(), PodControl.BURST),
          i -> pod(job, step, step.create().get(i)));
    }
    return again(
        Stream.of(
                pause.filter(_ -> !step.create().isEmpty()), step.pause(), untilDeadline(job, now))
            .flatMap(Optional::stream)
            .min(Duration::compareTo));
  }

  private static ObjectNode pod(Job job, JobStep step, int index) {
    return JobPod.of(job, index, step.tally().indexes().annotations(job, index));
  }

  /// Says once what became of it.
  private void tell(Job job, JobStep step) {
    for (String type : List.of(Job.COMPLETE, Job.FAILED, "Suspended")) {
      boolean now = StatusConditions.isTrue(step.status(), type);
      if (!now || StatusConditions.isTrue(job.status(), type)) {
        continue;
      }
      var condition = StatusConditions.find(step.status(), type);
      switch (type) {
        case Job.COMPLETE -> control.tell(job.metadata(), false, "Completed", "Job completed");
        case Job.FAILED ->
            control.tell(
                job.metadata(),
                true,
                Json.textOr(condition, "", "reason"),
                Json.textOr(condition, "", "message"));
        default -> control.tell(job.metadata(), false, "Suspended", "Job suspended");
      }
    }
  }

  /// How long to wait before the next pod is tried after others have failed; empty for not at all.
  private Optional<Duration> pause(Job job, FinishedPodCounter tally, Instant now) {
    Failures before =
        failures.getOrDefault(job.metadata().key(), new Failures(0, 0, 0, Instant.EPOCH));
    Failures after = before;
    if (tally.succeeded() > before.succeeded()) {
      after = new Failures(tally.succeeded(), tally.failed(), 0, Instant.EPOCH);
    } else if (tally.failed() > before.failed()) {
      int more = tally.failed() - before.failed();
      after = new Failures(before.succeeded(), tally.failed(), before.inARow() + more, now);
    }
    failures.put(job.metadata().key(), after);
    if (after.inARow() == 0) {
      return Optional.empty();
    }
    Instant next = after.last().plus(AFTER_FAILURE.after(after.inARow() - 1));
    return next.isAfter(now) ? Optional.of(Duration.between(now, next)) : Optional.empty();
  }

  private static Optional<Duration> untilDeadline(Job job, Instant now) {
    return job.deadline()
        .flatMap(limit -> job.started().map(begun -> begun.plus(limit)))
        .filter(end -> end.isAfter(now))
        .map(end -> Duration.between(now, end));
  }

  private Reconciler.Result expire(Job job, Instant now) {
    if (job.timeToLive().isEmpty() || job.metadata().beingDeleted()) {
      return Reconciler.DONE;
    }
    Instant end = job.finishedAt().orElse(now).plus(job.timeToLive().get());
    if (end.isAfter(now)) {
      return new Reconciler.Result.Again(Duration.between(now, end));
    }
    try {
      client.delete(
          Job.TYPE,
          job.metadata().key(),
          DeleteOptions.of(DeleteOptions.Propagation.FOREGROUND).onlyUid(job.metadata().uid()));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
    return Reconciler.DONE;
  }

  private void release(Job job, WorkloadPod pod) {
    dropFinalizer(pod).ifPresent(stored -> expectations.wrote(job.metadata().key(), stored));
  }

  private Optional<ObjectNode> dropFinalizer(WorkloadPod pod) {
    ObjectNode patch = Json.object();
    ArrayNode kept =
        patch
            .putObject("metadata")
            .put("uid", pod.uid())
            .put("resourceVersion", pod.metadata().resourceVersion())
            .putArray("finalizers");
    pod.metadata().finalizers().stream()
        .filter(one -> !one.equals(JobPod.FINALIZER))
        .forEach(kept::add);
    try {
      return Optional.of(client.patch(ResourceType.PODS, pod.key(), PatchType.MERGE, patch));
    } catch (ApiException e) {
      if (ApiErrors.isNotFound(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
