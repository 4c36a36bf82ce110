package io.fairlead.server.resources.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ShownCounts;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Pods with names and an order.
public final class StatefulSetResource extends ReplicatedResource {
  private static final List<String> MUTABLE =
      List.of(
          "replicas",
          "ordinals",
          "template",
          "updateStrategy",
          "revisionHistoryLimit",
          "persistentVolumeClaimRetentionPolicy",
          "minReadySeconds");
  private static final String FROZEN =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
          + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
          + " 'minReadySeconds' are forbidden";
  private static final List<String> COUNTS =
      List.of(
          "replicas",
          "readyReplicas",
          "currentReplicas",
          "updatedReplicas",
          "availableReplicas",
          "observedGeneration");
  private static final List<String> BOUNDED =
      List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas");
  private static final ShownCounts SHOWN = ShownCounts.of("replicas", "availableReplicas");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Ready", "How many pods are ready, of how many there shall be."),
          Cells.AGE,
          WorkloadTable.CONTAINERS,
          WorkloadTable.IMAGES);

  public StatefulSetResource() {
    super("statefulsets", "StatefulSet", "sts", COUNTS, BOUNDED);
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    super.applyDefaults(object);
    ObjectNode spec = Json.child(object, "spec");
    Defaults.text(spec, "podManagementPolicy", "OrderedReady");
    ObjectNode strategy = Json.child(spec, "updateStrategy");
    Defaults.text(strategy, "type", "RollingUpdate");
    if (strategy.path("type").asString("").equals("RollingUpdate")) {
      Defaults.missingNumber(Json.child(strategy, "rollingUpdate"), "partition", 0);
    }
    Defaults.missingNumber(spec, "revisionHistoryLimit", 10);
    ObjectNode retention = Json.child(spec, "persistentVolumeClaimRetentionPolicy");
    Defaults.text(retention, "whenDeleted", "Retain");
    Defaults.text(retention, "whenScaled", "Retain");
    for (JsonNode claim : spec.path("volumeClaimTemplates")) {
      if (claim instanceof ObjectNode one) {
        applyToClaim(one);
      }
    }
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
    problems.requiredOneOf(
        "spec.podManagementPolicy",
        spec.path("podManagementPolicy"),
        List.of("OrderedReady", "Parallel"));
    checkStrategy(spec.path("updateStrategy"), problems);
    problems.notNegative("spec.replicas", spec.path("replicas"));
    problems.notNegative("spec.minReadySeconds", spec.path("minReadySeconds"));
    WorkloadRules.checkSelectorAndTemplate(object, "statefulset", "StatefulSet", problems);
    if (old != null && !frozen(object).equals(frozen(old))) {
      problems.forbidden("spec", FROZEN);
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
    return List.of(
        Cells.name(object),
        Cells.text(
            object.at("/status/readyReplicas").asInt(0) + "/" + spec.path("replicas").asInt(0)),
        Cells.age(object, now),
        WorkloadTable.containers(spec.path("template"), "name"),
        WorkloadTable.containers(spec.path("template"), "image"));
  }

  private static void applyToClaim(ObjectNode claim) {
    Defaults.text(claim, "kind", "PersistentVolumeClaim");
    Defaults.text(claim, "apiVersion", "v1");
    Defaults.missingText(Json.child(claim, "spec"), "volumeMode", "Filesystem");
    Defaults.text(Json.child(claim, "status"), "phase", "Pending");
  }

  private static void checkStrategy(JsonNode strategy, Problems problems) {
    String path = "spec.updateStrategy";
    switch (strategy.path("type").asString("")) {
      case "OnDelete" -> {
        if (strategy.has("rollingUpdate")) {
          problems.invalid(
              path + ".rollingUpdate",
              strategy.path("rollingUpdate"),
              "only allowed for updateStrategy 'RollingUpdate'");
        }
      }
      case "RollingUpdate" ->
          problems.notNegative(
              path + ".rollingUpdate.partition", strategy.at("/rollingUpdate/partition"));
      default -> problems.invalid(path, strategy, "must be 'RollingUpdate' or 'OnDelete'");
    }
  }

  /// The part of the spec that may not change.
  private static JsonNode frozen(ObjectNode object) {
    JsonNode spec = object.path("spec").deepCopy();
    if (spec instanceof ObjectNode copy) {
      copy.remove(MUTABLE);
    }
    return spec;
  }
}
