package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resources.table.Age;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The table of pods.
final class PodTable {
  static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Ready", "How many of its containers pass their readiness check."),
          Column.text("Status", "What the pod is doing, or what keeps it from it."),
          Column.text("Restarts", "How often containers were started again, and when last."),
          Cells.AGE,
          Column.text("IP", "The pod's address.").wide(),
          Column.text("Node", "The node it runs on.").wide(),
          Column.text("Nominated Node", "The node where room is being made for it.").wide(),
          Column.text("Readiness Gates", "How many of its own conditions hold.").wide());

  private PodTable() {}

  static List<JsonNode> cells(ObjectNode pod, Instant now) {
    PodSummary summary = PodSummary.of(pod);
    String restarts = Integer.toString(summary.restarts());
    Instant lastRestart = summary.lastRestart();
    if (summary.restarts() != 0 && lastRestart != null) {
      restarts += " (" + Age.text(java.time.Duration.between(lastRestart, now)) + " ago)";
    }
    JsonNode status = pod.path("status");
    return List.of(
        Cells.name(pod),
        Cells.text(summary.ready() + "/" + summary.containers()),
        Cells.text(summary.status()),
        Cells.text(restarts),
        Cells.age(pod, now),
        Cells.orNone(status.path("podIPs").path(0).path("ip").asString("")),
        Cells.orNone(pod.path("spec").path("nodeName").asString("")),
        Cells.orNone(status.path("nominatedNodeName").asString("")),
        Cells.orNone(readinessGates(pod)));
  }

  /// Pods that came to an end say so beside their row.
  static List<ObjectNode> rowConditions(ObjectNode pod) {
    String phase = pod.path("status").path("phase").asString("");
    String message =
        switch (phase) {
          case "Succeeded" -> "The pod has completed successfully.";
          case "Failed" -> "The pod failed.";
          default -> "";
        };
    if (message.isEmpty()) {
      return List.of();
    }
    ObjectNode condition = Json.object();
    condition.put("type", "Completed").put("status", "True");
    condition.put("reason", phase).put("message", message);
    return List.of(condition);
  }

  private static String readinessGates(ObjectNode pod) {
    JsonNode gates = pod.path("spec").path("readinessGates");
    int holding = 0;
    for (JsonNode gate : gates) {
      String type = gate.path("conditionType").asString("");
      holding += PodSummary.isTrue(pod.path("status"), type) ? 1 : 0;
    }
    return gates.isEmpty() ? "" : holding + "/" + gates.size();
  }
}
