package io.fairlead.server.resources.cluster;

import io.fairlead.server.resource.Column;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The table of nodes.
final class NodeTable {
  static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Status", "Whether the node can run pods, and takes new ones."),
          Column.text("Roles", "The roles its labels give it."),
          Cells.AGE,
          Column.text("Version", "The version of its agent."),
          Column.text("Internal-IP", "Its address inside the cluster.").wide(),
          Column.text("External-IP", "Its address for the world outside.").wide(),
          Column.text("OS-Image", "The operating system.").wide(),
          Column.text("Kernel-Version", "The kernel.").wide(),
          Column.text("Container-Runtime", "What runs its containers.").wide());

  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
  private static final String ROLE_LABEL = "kubernetes.io/role";

  private NodeTable() {}

  static List<JsonNode> cells(ObjectNode node, Instant now) {
    JsonNode info = node.path("status").path("nodeInfo");
    return List.of(
        Cells.name(node),
        Cells.text(status(node)),
        Cells.orNone(roles(node.path("metadata").path("labels"))),
        Cells.age(node, now),
        Cells.text(info.path("kubeletVersion").asString("")),
        Cells.orNone(address(node, "InternalIP")),
        Cells.orNone(address(node, "ExternalIP")),
        orUnknown(info.path("osImage").asString("")),
        orUnknown(kernel(info)),
        orUnknown(info.path("containerRuntimeVersion").asString("")));
  }

  private static String status(ObjectNode node) {
    String status = "Unknown";
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (condition.path("type").asString("").equals("Ready")) {
        status = condition.path("status").asString("").equals("True") ? "Ready" : "NotReady";
      }
    }
    boolean unschedulable = node.path("spec").path("unschedulable").asBoolean(false);
    return unschedulable ? status + ",SchedulingDisabled" : status;
  }

  private static String roles(JsonNode labels) {
    TreeSet<String> roles = new TreeSet<>();
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      String key = label.getKey();
      if (key.startsWith(ROLE_PREFIX) && key.length() > ROLE_PREFIX.length()) {
        roles.add(key.substring(ROLE_PREFIX.length()));
      } else if (key.equals(ROLE_LABEL) && !label.getValue().asString("").isEmpty()) {
        roles.add(label.getValue().asString(""));
      }
    }
    return String.join(",", roles);
  }

  private static String address(ObjectNode node, String type) {
    for (JsonNode address : node.path("status").path("addresses")) {
      if (address.path("type").asString("").equals(type)) {
        return address.path("address").asString("");
      }
    }
    return "";
  }

  private static String kernel(JsonNode info) {
    String kernel = info.path("kernelVersion").asString("");
    String architecture = info.path("architecture").asString("");
    return kernel.isEmpty() || architecture.isEmpty() ? kernel : kernel + " (" + architecture + ")";
  }

  private static JsonNode orUnknown(String text) {
    return Cells.text(text.isEmpty() ? "<unknown>" : text);
  }
}
