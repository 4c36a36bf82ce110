package io.fairlead.server.resources.batch;

import io.fairlead.server.resource.Column;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The table of autoscalers, computed from the stored shape, that of `autoscaling/v2`.
final class AutoscalerTable {
  static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Reference", "What it scales."),
          Column.text("Targets", "What was measured, and what is aimed at."),
          Column.text("MinPods", "The fewest pods."),
          Column.text("MaxPods", "The most pods."),
          Column.text("Replicas", "How many there are."),
          Cells.AGE);

  private AutoscalerTable() {}

  static List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode spec = object.path("spec");
    JsonNode target = spec.path("scaleTargetRef");
    JsonNode least = spec.path("minReplicas");
    return List.of(
        Cells.name(object),
        Cells.text(target.path("kind").asString("") + "/" + target.path("name").asString("")),
        Cells.text(targets(spec.path("metrics"), object.at("/status/currentMetrics"))),
        Cells.text(least.isNumber() ? least.asString("") : "<unset>"),
        Cells.number(spec.path("maxReplicas")),
        Cells.number(object.at("/status/currentReplicas")),
        Cells.age(object, now));
  }

  private static String targets(JsonNode metrics, JsonNode current) {
    List<String> all = new ArrayList<>();
    int index = 0;
    for (JsonNode metric : metrics) {
      JsonNode resource = metric.path("resource");
      JsonNode wanted = resource.path("target");
      JsonNode seen = current.path(index).path("resource").path("current");
      boolean share = wanted.has("averageUtilization");
      String unit = share ? "%" : "";
      String field = share ? "averageUtilization" : "averageValue";
      String now = seen.has(field) ? seen.path(field).asString("") + unit : "<unknown>";
      String name = resource.path("name").asString(metric.path("type").asString(""));
      all.add(name + ": " + now + "/" + wanted.path(field).asString("") + unit);
      index++;
    }
    if (all.isEmpty()) {
      return "<none>";
    }
    int more = all.size() - 2;
    return more > 0
        ? String.join(", ", all.subList(0, 2)) + " + " + more + " more..."
        : String.join(", ", all);
  }
}
