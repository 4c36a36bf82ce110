package io.fairlead.server.resources.batch;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Age;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.workload.WorkloadTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Pods that run until they are done.
public final class JobResource extends StoredResource {
  private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Status", "Whether it runs, is done or has failed."),
          Column.text("Completions", "How many pods are done, of how many."),
          Column.text("Duration", "How long it took, or has taken so far."),
          Cells.AGE,
          WorkloadTable.CONTAINERS,
          WorkloadTable.IMAGES,
          WorkloadTable.SELECTOR);

  public JobResource() {
    super(
        Describe.namespaced("batch", "jobs", "Job").categories("all").build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    JobSpec.applyDefaults(Json.child(object, "spec"));
  }

  /// A Job knows its pods by its own uid, unless its author chose a selector.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    super.prepare(object, old, context);
    ObjectNode spec = Json.child(object, "spec");
    if (old != null || spec.path("manualSelector").asBoolean(false)) {
      return;
    }
    String uid = object.at("/metadata/uid").asString("");
    String name = object.at("/metadata/name").asString("");
    Json.child(Json.child(spec, "selector"), "matchLabels").put(UID_LABEL, uid);
    ObjectNode labels = Json.child(Json.child(Json.child(spec, "template"), "metadata"), "labels");
    labels.put(UID_LABEL, uid).put("controller-uid", uid);
    labels.put("batch.kubernetes.io/job-name", name).put("job-name", name);
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
    JobSpec.check(spec, "spec", problems);
    if (old != null) {
      problems.immutable("spec.selector", spec.path("selector"), old.at("/spec/selector"));
      problems.immutable(
          "spec.completionMode", spec.path("completionMode"), old.at("/spec/completionMode"));
      if (!old.at("/spec/suspend").asBoolean(false)) {
        problems.immutable("spec.template", spec.path("template"), old.at("/spec/template"));
      }
    }
    return problems.list();
  }

  @Override
  public Map<String, String> selectableFields(ObjectNode object) {
    return Map.of("status.successful", Long.toString(object.at("/status/succeeded").asLong(0)));
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode status = object.path("status");
    return List.of(
        Cells.name(object),
        Cells.text(state(object)),
        Cells.text(completions(spec, status)),
        Cells.text(duration(status, now)),
        Cells.age(object, now),
        WorkloadTable.containers(spec.path("template"), "name"),
        WorkloadTable.containers(spec.path("template"), "image"),
        WorkloadTable.selector(spec.path("selector")));
  }

  private static String state(ObjectNode job) {
    if (holds(job, "Complete")) {
      return "Complete";
    }
    if (holds(job, "Failed")) {
      return "Failed";
    }
    if (job.path("metadata").has("deletionTimestamp")) {
      return "Terminating";
    }
    if (holds(job, "Suspended")) {
      return "Suspended";
    }
    if (holds(job, "FailureTarget")) {
      return "FailureTarget";
    }
    return holds(job, "SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
  }

  private static boolean holds(ObjectNode job, String type) {
    for (JsonNode condition : job.at("/status/conditions")) {
      if (condition.path("type").asString("").equals(type)) {
        return condition.path("status").asString("").equals("True");
      }
    }
    return false;
  }

  private static String completions(JsonNode spec, JsonNode status) {
    long done = status.path("succeeded").asLong(0);
    if (spec.has("completions")) {
      return done + "/" + spec.path("completions").asLong(0);
    }
    long parallelism = spec.path("parallelism").asLong(0);
    return parallelism > 1 ? done + "/1 of " + parallelism : done + "/1";
  }

  private static String duration(JsonNode status, Instant now) {
    Instant start = Age.instant(status.path("startTime"));
    if (start == null) {
      return "";
    }
    Instant end = Age.instant(status.path("completionTime"));
    return Age.text(Duration.between(start, end == null ? now : end));
  }
}
