package io.fairlead.controller.cronjob;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.ControllerRefManager;
import io.fairlead.controller.workload.PodControl;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.StatusConditions;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Job, as far as CronJobs act on it. Immutable.
///
/// @param outcome `Complete` or `Failed`; empty while it runs
/// @param completed when it succeeded
record ScheduledJob(
    ObjectMeta metadata, Instant started, String outcome, Optional<Instant> completed)
    implements HasMetadata {
  static final String BY_CONTROLLER = "controller";
  static final String SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";
  private static final int SECONDS_A_MINUTE = 60;

  static final InformerKind<ScheduledJob> KIND =
      InformerKind.of(ResourceType.JOBS, ScheduledJob::of)
          .indexedBy(BY_CONTROLLER, job -> List.of(job.ownerUid()));

  static ScheduledJob of(ObjectNode body) {
    JsonNode status = body.path("status");
    String outcome = "";
    for (String type : List.of("Complete", "Failed")) {
      outcome = StatusConditions.isTrue(status, type) ? type : outcome;
    }
    return new ScheduledJob(
        ObjectMeta.of(body),
        Rfc3339Times.at(status, "startTime")
            .or(() -> Rfc3339Times.at(body, "metadata", "creationTimestamp"))
            .orElse(Instant.EPOCH),
        outcome,
        Rfc3339Times.at(status, "completionTime"));
  }

  boolean finished() {
    return !outcome.isEmpty();
  }

  private String ownerUid() {
    return ControllerRefManager.controller(metadata).map(OwnerReference::uid).orElse("");
  }

  /// The Job of a CronJob for one point in time. Its name follows from the time, so that it cannot
  /// be made twice.
  static ObjectNode make(CronJob cron, Instant at, ZoneId zone) {
    ObjectNode template =
        Json.child(Json.child(cron.object().body().deepCopy(), "spec"), "jobTemplate");
    ObjectNode job =
        PodControl.fromTemplate(
            template,
            CronJob.TYPE,
            cron.metadata(),
            cron.metadata().name() + "-" + at.getEpochSecond() / SECONDS_A_MINUTE);
    job.put("kind", ResourceType.JOBS.kind()).put("apiVersion", ResourceType.JOBS.apiVersion());
    Json.child(Json.child(job, "metadata"), "annotations")
        .put(SCHEDULED, DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(at.atZone(zone)));
    return job;
  }
}
