package io.fairlead.server.resources.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.workload.WorkloadValidation.BadSelector;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A set of equal pods that is rolled from one version to the next.
public final class DeploymentResource extends ReplicatedResource {
  private static final String QUARTER = "25%";
  private static final List<String> COUNTS =
      List.of(
          "observedGeneration",
          "replicas",
          "updatedReplicas",
          "readyReplicas",
          "availableReplicas",
          "unavailableReplicas");
  private static final List<String> BOUNDED =
      List.of("updatedReplicas", "readyReplicas", "availableReplicas");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Ready", "How many pods are ready, of how many there shall be."),
          Column.text("Up-to-date", "How many pods have the newest template."),
          Column.text("Available", "How many pods have been ready for long enough."),
          Cells.AGE,
          WorkloadTable.CONTAINERS,
          WorkloadTable.IMAGES,
          WorkloadTable.SELECTOR);

  public DeploymentResource() {
    super("deployments", "Deployment", "deploy", COUNTS, BOUNDED);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    super.applyDefaults(object);
    ObjectNode spec = Json.child(object, "spec");
    ObjectNode strategy = Json.child(spec, "strategy");
    Defaults.text(strategy, "type", "RollingUpdate");
    if (strategy.path("type").asString("").equals("RollingUpdate")) {
      ObjectNode rolling = Json.child(strategy, "rollingUpdate");
      Defaults.missingText(rolling, "maxUnavailable", QUARTER);
      Defaults.missingText(rolling, "maxSurge", QUARTER);
    }
    Defaults.missingNumber(spec, "revisionHistoryLimit", 10);
    Defaults.missingNumber(spec, "progressDeadlineSeconds", 600);
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
    problems.notNegative("spec.replicas", spec.path("replicas"));
    WorkloadValidation.checkSelectorAndTemplate(
        object, "deployment", "ReplicaSet", BadSelector.HIDES_TEMPLATE, problems);
    checkStrategy(spec.path("strategy"), problems);
    problems.notNegative("spec.minReadySeconds", spec.path("minReadySeconds"));
    problems.notNegative("spec.revisionHistoryLimit", spec.path("revisionHistoryLimit"));
    JsonNode deadline = spec.path("progressDeadlineSeconds");
    problems.notNegative("spec.progressDeadlineSeconds", deadline);
    if (deadline.isNumber() && deadline.asLong(0) <= spec.path("minReadySeconds").asLong(0)) {
      problems.invalid(
          "spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds");
    }
    if (old != null) {
      problems.immutable("spec.selector", spec.path("selector"), old.at("/spec/selector"));
    }
    return problems.list();
  }

  /// Annotations count too: a rollout copies them to its ReplicaSets.
  @Override
  public boolean isGenerationChange(ObjectNode object, ObjectNode old) {
    return super.isGenerationChange(object, old)
        || !object.at("/metadata/annotations").equals(old.at("/metadata/annotations"));
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode status = object.path("status");
    JsonNode template = spec.path("template");
    return List.of(
        Cells.name(object),
        Cells.text(status.path("readyReplicas").asInt(0) + "/" + spec.path("replicas").asInt(0)),
        Cells.number(status.path("updatedReplicas")),
        Cells.number(status.path("availableReplicas")),
        Cells.age(object, now),
        WorkloadTable.containers(template, "name"),
        WorkloadTable.containers(template, "image"),
        WorkloadTable.selector(spec.path("selector")));
  }

  private static void checkStrategy(JsonNode strategy, Problems problems) {
    String path = "spec.strategy";
    switch (strategy.path("type").asString("")) {
      case "Recreate" -> {
        if (strategy.has("rollingUpdate")) {
          problems.forbidden(
              path + ".rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        }
      }
      case "RollingUpdate" -> checkRolling(strategy.path("rollingUpdate"), problems);
      default ->
          problems.add(
              FieldError.notSupported(
                  path,
                  GoForm.internal(strategy, "io.k8s.api.apps.v1.DeploymentStrategy"),
                  List.of("Recreate", "RollingUpdate")));
    }
  }

  private static void checkRolling(JsonNode rolling, Problems problems) {
    String path = "spec.strategy.rollingUpdate";
    JsonNode unavailable = rolling.path("maxUnavailable");
    JsonNode surge = rolling.path("maxSurge");
    WorkloadValidation.checkIntOrPercent(path + ".maxUnavailable", unavailable, problems);
    WorkloadValidation.checkIntOrPercent(path + ".maxSurge", surge, problems);
    if (WorkloadValidation.isZero(unavailable) && WorkloadValidation.isZero(surge)) {
      problems.invalid(path + ".maxUnavailable", unavailable, "may not be 0 when `maxSurge` is 0");
    }
    WorkloadValidation.checkAtMostWhole(path + ".maxUnavailable", unavailable, problems);
  }
}
