package io.fairlead.controller.cronjob;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.ControllerRefManager;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Starts Jobs when their time has come, and deletes old ones. What is due is a [CronPlan].
public final class CronJobController implements Controller {
  private static final String NAME = "cronjob-controller";
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

  /// So that a run never comes a moment too early.
  private static final Duration MARGIN = Duration.ofMillis(100);

  private static final int KEEP_SUCCESSFUL = 3;
  private static final int KEEP_FAILED = 1;

  private final Client client;
  private final InstantSource clock;
  private final EventRecorder events;
  private final Informer<CronJob> crons;
  private final Informer<ScheduledJob> jobs;
  private final StatusWriter statuses;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  public CronJobController(ControllerContext wiring, int workers) {
    this.workers = workers;
    this.client = wiring.client();
    this.clock = wiring.clock();
    this.events = wiring.events(NAME);
    this.crons = wiring.informers().of(CronJob.KIND);
    this.jobs = wiring.informers().of(ScheduledJob.KIND);
    this.statuses = new StatusWriter(client, CronJob.TYPE);
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.loop = new ControllerLoop<>(NAME, queue, this::reconcile, List.of(crons, jobs));
  }

  @Override
  public void start() {
    crons.onChange(new EachChange<>(cron -> queue.add(cron.metadata().key())));
    jobs.onChange(
        new EachChange<>(
            job ->
                ControllerRefManager.controller(job.metadata())
                    .filter(owner -> owner.kind().equals(CronJob.TYPE.kind()))
                    .map(OwnerReference::name)
                    .ifPresent(
                        name -> queue.add(new ObjectKey(job.metadata().namespace(), name)))));
    loop.start(workers);
  }

  @Override
  public ControllerLoop<?> loop() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    Optional<CronJob> found = crons.get(key);
    if (found.isEmpty()) {
      return Reconciler.DONE;
    }
    CronJob cron = found.get();
    Instant now = clock.instant();
    List<ScheduledJob> mine = jobs.find(ScheduledJob.BY_CONTROLLER, cron.metadata().uid());
    ObjectNode status = StatusWriter.copy(cron.object());
    ArrayNode active = watchOver(cron, mine, status);
    Optional<Duration> next = Optional.empty();
    if (!cron.metadata().beingDeleted()) {
      prune(cron, mine);
      next = cron.suspended() ? Optional.empty() : schedule(cron, mine, status, active, now);
    }
    if (active.isEmpty()) {
      status.remove("active");
    } else {
      status.set("active", active);
    }
    statuses.writeUnlessStale(cron.object(), status);
    return next.<Reconciler.Result>map(wait -> new Reconciler.Result.Again(wait.plus(MARGIN)))
        .orElse(Reconciler.DONE);
  }

  /// The Jobs that still run, of those the status lists; notes which have ended.
  private ArrayNode watchOver(CronJob cron, List<ScheduledJob> mine, ObjectNode status) {
    ArrayNode active = Json.array();
    for (JsonNode reference : cron.status().path("active")) {
      String uid = Json.textOr(reference, "", "uid");
      ObjectKey key =
          new ObjectKey(cron.metadata().namespace(), Json.textOr(reference, "", "name"));
      Optional<ScheduledJob> known =
          mine.stream().filter(job -> job.metadata().uid().equals(uid)).findFirst();
      if (known.isEmpty()) {
        known =
            client
                .find(ResourceType.JOBS, key)
                .map(ScheduledJob::of)
                .filter(job -> job.metadata().uid().equals(uid));
      }
      if (known.isEmpty()) {
        tell(cron, false, "MissingJob", "Active job went missing: " + key.name());
      } else if (known.get().finished()) {
        tell(
            cron,
            false,
            "SawCompletedJob",
            "Saw completed job: " + key.name() + ", condition: " + known.get().outcome());
      } else {
        active.add(reference);
      }
    }
    Optional<Instant> last = Rfc3339Times.at(status, "lastSuccessfulTime");
    mine.stream()
        .flatMap(job -> job.completed().stream())
        .max(Comparator.naturalOrder())
        .filter(at -> last.isEmpty() || at.isAfter(last.get()))
        .ifPresent(at -> status.put("lastSuccessfulTime", Rfc3339Times.text(at)));
    return active;
  }

  /// Deletes the oldest Jobs that ended, beyond those to be kept.
  private void prune(CronJob cron, List<ScheduledJob> mine) {
    prune(cron, mine, "Complete", cron.history("successfulJobsHistoryLimit", KEEP_SUCCESSFUL));
    prune(cron, mine, "Failed", cron.history("failedJobsHistoryLimit", KEEP_FAILED));
  }

  private void prune(CronJob cron, List<ScheduledJob> mine, String outcome, int kept) {
    List<ScheduledJob> ended =
        mine.stream()
            .filter(job -> job.outcome().equals(outcome))
            .sorted(
                Comparator.comparing(ScheduledJob::started)
                    .thenComparing(job -> job.metadata().name()))
            .toList();
    ended.subList(0, Math.max(0, ended.size() - kept)).forEach(job -> delete(cron, job.metadata()));
  }

  private void delete(CronJob cron, ObjectMeta job) {
    try {
      client.delete(
          ResourceType.JOBS,
          job.key(),
          DeleteOptions.of(DeleteOptions.Propagation.BACKGROUND).onlyUid(job.uid()));
      tell(cron, false, "SuccessfulDelete", "Deleted job " + job.name());
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }

  private Optional<Duration> schedule(
      CronJob cron, List<ScheduledJob> mine, ObjectNode status, ArrayNode active, Instant now) {
    Optional<CronSchedule> schedule = cron.schedule();
    Optional<ZoneId> zone = cron.zone();
    if (schedule.isEmpty() || zone.isEmpty()) {
      boolean unreadable = schedule.isEmpty();
      tell(
          cron,
          true,
          unreadable ? "UnparseableSchedule" : "UnknownTimeZone",
          unreadable
              ? "unparseable schedule: " + Json.textOr(cron.spec(), "", "schedule")
              : "invalid timeZone: " + Json.textOr(cron.spec(), "", "timeZone"));
      return Optional.empty();
    }
    CronPlan plan = CronPlan.of(schedule.get(), zone.get(), cron.since(now), now);
    if (plan.missed() > CronPlan.TOO_MANY) {
      tell(
          cron,
          true,
          "TooManyMissedTimes",
          "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check"
              + " clock skew");
    }
    plan.due().ifPresent(at -> begin(cron, mine, status, active, at, zone.get(), now));
    return plan.next();
  }

  private void begin(
      CronJob cron,
      List<ScheduledJob> mine,
      ObjectNode status,
      ArrayNode active,
      Instant at,
      ZoneId zone,
      Instant now) {
    if (cron.deadline().filter(limit -> at.plus(limit).isBefore(now)).isPresent()) {
      tell(cron, true, "MissSchedule", "Missed scheduled time to start a job: " + at);
      return;
    }
    if (cron.concurrencyPolicy().equals("Forbid") && !active.isEmpty()) {
      tell(
          cron,
          false,
          "JobAlreadyActive",
          "Not starting job because prior execution is running and concurrency policy is Forbid");
      return;
    }
    ObjectNode job = ScheduledJob.make(cron, at, zone);
    if (cron.concurrencyPolicy().equals("Replace")) {
      // Not the one of this very time: it is there when the copy of the status is an older one.
      String name = ObjectKey.of(job).name();
      mine.stream()
          .filter(old -> !old.finished() && !old.metadata().name().equals(name))
          .forEach(old -> delete(cron, old.metadata()));
      active.removeAll();
    }
    ObjectNode stored;
    try {
      stored = client.create(ResourceType.JOBS, cron.metadata().namespace(), job);
      tell(cron, false, "SuccessfulCreate", "Created job " + ObjectKey.of(stored).name());
    } catch (ApiException e) {
      if (ApiErrors.isNamespaceTerminating(e)) {
        return;
      }
      if (!ApiErrors.isAlreadyExists(e)) {
        tell(cron, true, "FailedCreate", "Error creating job: " + e.getMessage());
        throw e;
      }
      // Made before; only the note in the status was lost.
      stored = client.get(ResourceType.JOBS, ObjectKey.of(job));
    }
    ObjectMeta made = ObjectMeta.of(stored);
    active
        .addObject()
        .put("kind", ResourceType.JOBS.kind())
        .put("namespace", made.namespace())
        .put("name", made.name())
        .put("uid", made.uid())
        .put("apiVersion", ResourceType.JOBS.apiVersion())
        .put("resourceVersion", made.resourceVersion());
    status.put("lastScheduleTime", Rfc3339Times.text(at));
  }

  private void tell(CronJob cron, boolean warning, String reason, String message) {
    ObjectRef about = new ObjectRef(CronJob.TYPE, cron.metadata().key(), cron.metadata().uid());
    events.record(new ObjectEvent(about, warning, reason, message));
  }
}
