package io.fairlead.server.resources.workload;

import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.StatusCounters;
import io.fairlead.server.resources.table.Cells;
import io.fairlead.server.resources.workload.WorkloadValidation.BadSelector;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A number of equal pods.
public final class ReplicaSetResource extends ReplicatedResource {
  private static final List<String> COUNTS =
      List.of(
          "replicas",
          "fullyLabeledReplicas",
          "readyReplicas",
          "availableReplicas",
          "observedGeneration");
  private static final List<String> BOUNDED =
      List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas");
  private static final StatusCounters SHOWN = StatusCounters.of("replicas");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.number("Desired", "How many pods there shall be."),
          Column.number("Current", "How many pods there are."),
          Column.number("Ready", "How many of them are ready."),
          Cells.AGE,
          WorkloadTable.CONTAINERS,
          WorkloadTable.IMAGES,
          WorkloadTable.SELECTOR);

  public ReplicaSetResource() {
    super("replicasets", "ReplicaSet", "rs", COUNTS, BOUNDED);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    super.applyDefaults(object);
    SHOWN.applyDefaults(object);
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    SHOWN.begin(object);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode spec = object.path("spec");
    problems.notNegative("spec.replicas", spec.path("replicas"));
    problems.notNegative("spec.minReadySeconds", spec.path("minReadySeconds"));
    WorkloadValidation.checkSelectorAndTemplate(
        object, "deployment", "ReplicaSet", BadSelector.HIDES_TEMPLATE, problems);
    if (old != null) {
      problems.immutable("spec.selector", spec.path("selector"), old.at("/spec/selector"));
    }
    return problems.list();
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
        Cells.number(spec.path("replicas")),
        Cells.number(status.path("replicas")),
        Cells.number(status.path("readyReplicas")),
        Cells.age(object, now),
        WorkloadTable.containers(spec.path("template"), "name"),
        WorkloadTable.containers(spec.path("template"), "image"),
        WorkloadTable.selector(spec.path("selector")));
  }
}
