package io.fairlead.server.resources.workload;

import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.StatusCounters;
import io.fairlead.server.resources.workload.WorkloadValidation.BadSelector;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A number of equal pods.
public final class ReplicaSetResource extends ReplicatedResource {
  private static final StatusCounters SHOWN = StatusCounters.of("replicas");

  public ReplicaSetResource() {
    super("replicasets", "ReplicaSet", "rs", ReplicaTable.COUNTS, ReplicaTable.BOUNDED);
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
    return ReplicaTable.COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return ReplicaTable.cells(
        object, now, WorkloadTable.selector(object.path("spec").path("selector")));
  }
}
