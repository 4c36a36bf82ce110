package io.fairlead.controller.cronjob;

import static io.fairlead.client.ResourceType.CRON_JOBS;
import static io.fairlead.client.ResourceType.JOBS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.ObjectMeta;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class CronJobControllerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(List.of(wiring -> new CronJobController(wiring, 0)))
          .sees(CronJob.KIND, CRON_JOBS)
          .sees(ScheduledJob.KIND, JOBS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void cron(String spec) {
    world.create(
        CRON_JOBS,
        """
        metadata: {name: tick}
        spec:
          schedule: "* * * * *"
          jobTemplate:
            metadata: {labels: {app: tick}}
            spec: {template: {spec: {containers: [{name: c, image: "c:1"}]}}}
        """);
    world.patch(CRON_JOBS, "tick", "spec: " + spec);
    world.settle();
  }

  private List<ObjectNode> jobs() {
    return world.list(JOBS, _ -> true);
  }

  private void ends(ObjectNode job, String condition) {
    ObjectNode status = Json.object();
    status.put("startTime", Rfc3339Times.text(world.clock.instant()));
    status.put("completionTime", Rfc3339Times.text(world.clock.instant()));
    status.putArray("conditions").addObject().put("type", condition).put("status", "True");
    world.patchStatus(JOBS, Json.textOr(job, "", "metadata", "name"), status);
    world.settle();
  }

  private static String uid(ObjectNode job) {
    return ObjectMeta.of(job).uid();
  }

  private JsonNode status() {
    return world.get(CRON_JOBS, "tick").path("status");
  }

  @Test
  void aJobStartsWhenItsTimeHasCome() {
    cron("{}");
    assertThat(jobs()).isEmpty();
    world.advance(Duration.ofSeconds(61));
    assertThat(jobs()).hasSize(1);
    ObjectNode job = jobs().getFirst();
    assertThat(Json.textOr(job, "", "metadata", "name")).startsWith("tick-");
    assertThat(Json.textOr(job, "", "metadata", "labels", "app")).isEqualTo("tick");
    assertThat(Json.textOr(job, "", "kind")).isEqualTo("Job");
    assertThat(job.at("/metadata/annotations").toString()).contains(ScheduledJob.SCHEDULED);
    assertThat(status().path("active")).hasSize(1);
    assertThat(Json.textOr(status(), "", "lastScheduleTime")).isNotEmpty();
    ends(job, "Complete");
    assertThat(status().path("active").isEmpty()).isTrue();
    assertThat(Json.textOr(status(), "", "lastSuccessfulTime")).isNotEmpty();
    world.advance(Duration.ofSeconds(60));
    assertThat(jobs()).hasSize(2);
  }

  @Test
  void whatIsSuspendedStartsNothing() {
    cron("{suspend: true}");
    world.advance(Duration.ofMinutes(5));
    assertThat(jobs()).isEmpty();
    world.patch(CRON_JOBS, "tick", "spec: {suspend: false}");
    world.settle();
    assertThat(jobs()).as("what was missed is made up for once").hasSize(1);
  }

  @Test
  void forbidWaitsForTheOneThatRuns() {
    cron("{concurrencyPolicy: Forbid}");
    world.advance(Duration.ofSeconds(61));
    world.advance(Duration.ofSeconds(60));
    assertThat(jobs()).hasSize(1);
    world.until(() -> !world.messages("JobAlreadyActive").isEmpty());
    ends(jobs().getFirst(), "Complete");
    assertThat(jobs()).hasSize(2);
  }

  @Test
  void replaceDeletesTheOneThatRuns() {
    cron("{concurrencyPolicy: Replace}");
    world.advance(Duration.ofSeconds(61));
    String first = Json.textOr(jobs().getFirst(), "", "metadata", "name");
    world.advance(Duration.ofSeconds(60));
    assertThat(jobs()).hasSize(1);
    assertThat(Json.textOr(jobs().getFirst(), "", "metadata", "name")).isNotEqualTo(first);
    assertThat(status().path("active")).hasSize(1);
  }

  /// The copy of the CronJob stays behind its Jobs: the watch of CronJobs is broken meanwhile.
  @Test
  void replaceKeepsTheOneOfThisTimeWhenTheStatusIsOld() {
    cron("{concurrencyPolicy: Replace}");
    world.advance(Duration.ofSeconds(61));
    String first = uid(jobs().getFirst());
    AtomicBoolean broken = new AtomicBoolean(true);
    world.api.intercept(
        request -> {
          if (broken.get()
              && request.method().equals("GET")
              && request.path().endsWith("/cronjobs")) {
            throw new ApiException(Status.of(503, "ServiceUnavailable", "later"));
          }
        });
    world.seesLate(CRON_JOBS);
    world.api.endWatches();
    world.advance(Duration.ofSeconds(60));
    world.until(() -> jobs().size() == 1 && !uid(jobs().getFirst()).equals(first));
    String second = uid(jobs().getFirst());
    assertThat(world.api.writes()).filteredOn(write -> write.startsWith("DELETE")).hasSize(1);
    broken.set(false);
    world.until(() -> status().path("active").size() == 1);
    assertThat(status().at("/active/0/uid").asString()).isEqualTo(second);
  }

  @Test
  void oldJobsGo() {
    cron("{successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0}");
    for (int i = 0; i < 3; i++) {
      world.advance(Duration.ofSeconds(61));
      jobs().stream()
          .filter(job -> job.path("status").isEmpty())
          .forEach(job -> ends(job, "Complete"));
    }
    assertThat(jobs()).hasSize(1);
    world.advance(Duration.ofSeconds(61));
    jobs().stream().filter(job -> job.path("status").isEmpty()).forEach(job -> ends(job, "Failed"));
    assertThat(jobs()).hasSize(1);
  }

  @Test
  void tooLateIsTooLate() {
    cron("{suspend: true, schedule: '0 * * * *', startingDeadlineSeconds: 60}");
    world.advance(Duration.ofMinutes(90));
    world.patch(CRON_JOBS, "tick", "spec: {suspend: false}");
    world.settle();
    assertThat(jobs()).isEmpty();
  }
}
