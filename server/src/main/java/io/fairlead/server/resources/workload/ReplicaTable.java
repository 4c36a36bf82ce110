package io.fairlead.server.resources.workload;

import io.fairlead.server.resource.Column;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What ReplicaSets and ReplicationControllers have alike: the numbers of their status, and their
/// table.
final class ReplicaTable {
  static final List<String> COUNTS =
      List.of(
          "replicas",
          "fullyLabeledReplicas",
          "readyReplicas",
          "availableReplicas",
          "observedGeneration");

  /// Those that are at most `replicas`.
  static final List<String> BOUNDED =
      List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas");

  static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.number("Desired", "How many pods there shall be."),
          Column.number("Current", "How many pods there are."),
          Column.number("Ready", "How many of them are ready."),
          Cells.AGE,
          WorkloadTable.CONTAINERS,
          WorkloadTable.IMAGES,
          WorkloadTable.SELECTOR);

  private ReplicaTable() {}

  static List<JsonNode> cells(ObjectNode object, Instant now, JsonNode selector) {
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
        selector);
  }
}
