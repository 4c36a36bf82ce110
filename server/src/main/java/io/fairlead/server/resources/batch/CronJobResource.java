package io.fairlead.server.resources.batch;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.pod.PodSpecDefaults;
import io.fairlead.server.resources.pod.PodWarnings;
import io.fairlead.server.resources.table.Age;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.workload.WorkloadTable;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Jobs at given times.
public final class CronJobResource extends StoredResource {
  private static final int MAX_NAME = 52;
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Schedule", "When it runs, in cron's notation."),
          Column.text("Timezone", "The time zone of the schedule."),
          Column.text("Suspend", "Whether it is paused."),
          Column.number("Active", "How many of its Jobs run now."),
          Column.text("Last Schedule", "When it last started a Job."),
          Cells.AGE,
          WorkloadTable.CONTAINERS,
          WorkloadTable.IMAGES,
          WorkloadTable.SELECTOR);

  public CronJobResource() {
    super(
        ResourceDescriptorBuilder.namespaced("batch", "cronjobs", "CronJob")
            .shortNames("cj")
            .categories("all")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.METADATA_AS_UPDATE);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec");
    Defaults.text(spec, "concurrencyPolicy", "Allow");
    Defaults.missingFlag(spec, "suspend", false);
    Defaults.missingNumber(spec, "successfulJobsHistoryLimit", 3);
    Defaults.missingNumber(spec, "failedJobsHistoryLimit", 1);
    ObjectNode job = Json.child(spec, "jobTemplate");
    Json.child(job, "metadata");
    PodSpecDefaults.applyToTemplate(Json.child(Json.child(job, "spec"), "template"));
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    checkSchedule(spec.path("schedule").asString(""), problems);
    problems.notNegative("spec.startingDeadlineSeconds", spec.path("startingDeadlineSeconds"));
    checkZone(spec, problems);
    problems.requiredOneOf(
        "spec.concurrencyPolicy",
        spec.path("concurrencyPolicy"),
        List.of("Allow", "Forbid", "Replace"));
    JobSpec.check(spec.at("/jobTemplate/spec"), "spec.jobTemplate.spec", problems);
    if (spec.at("/jobTemplate/spec/manualSelector").asBoolean(false)) {
      problems.add(
          FieldError.notSupported(
              "spec.jobTemplate.spec.manualSelector",
              spec.at("/jobTemplate/spec/manualSelector"),
              List.of("nil", "false")));
    }
    problems.notNegative(
        "spec.successfulJobsHistoryLimit", spec.path("successfulJobsHistoryLimit"));
    problems.notNegative("spec.failedJobsHistoryLimit", spec.path("failedJobsHistoryLimit"));
    String name = object.at("/metadata/name").asString("");
    if (old == null && name.length() > MAX_NAME) {
      problems.invalid("metadata.name", name, "must be no more than " + MAX_NAME + " characters");
    }
    return problems.list();
  }

  @Override
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return PodWarnings.ofTemplate(object, old, "spec.jobTemplate.spec.template");
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode template = spec.at("/jobTemplate/spec/template");
    JsonNode last = object.at("/status/lastScheduleTime");
    String suspended = spec.path("suspend").asBoolean(false) ? "True" : "False";
    return List.of(
        Cells.name(object),
        Cells.text(spec.path("schedule").asString("")),
        Cells.orNone(spec.path("timeZone").asString("")),
        Cells.text(suspended),
        Cells.number(object.at("/status/active").size()),
        Cells.text(last.isString() ? Age.since(last, now) : "<none>"),
        Cells.age(object, now),
        WorkloadTable.containers(template, "name"),
        WorkloadTable.containers(template, "image"),
        WorkloadTable.selector(spec.at("/jobTemplate/spec/selector")));
  }

  private static void checkSchedule(String schedule, Problems problems) {
    if (schedule.isEmpty()) {
      problems.required("spec.schedule");
      return;
    }
    if (schedule.contains("TZ")) {
      problems.invalid(
          "spec.schedule",
          schedule,
          "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
      return;
    }
    String problem = CronScheduleCheck.problem(schedule);
    if (!problem.isEmpty()) {
      problems.invalid("spec.schedule", schedule, problem);
    }
  }

  private static void checkZone(JsonNode spec, Problems problems) {
    JsonNode zone = spec.path("timeZone");
    if (!zone.isString()) {
      return;
    }
    String name = zone.stringValue();
    if (name.isEmpty()) {
      problems.invalid("spec.timeZone", zone, "timeZone must be nil or non-empty string");
    } else if (name.equalsIgnoreCase("Local")) {
      problems.invalid(
          "spec.timeZone",
          zone,
          "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    } else if (!ZoneId.getAvailableZoneIds().contains(name)) {
      problems.invalid("spec.timeZone", zone, "unknown time zone " + name);
    }
  }
}
