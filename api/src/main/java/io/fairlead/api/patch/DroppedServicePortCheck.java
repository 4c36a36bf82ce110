package io.fairlead.api.patch;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Notices when a strategic merge patch lost a port of a Service. Such patches tell ports apart by
/// number alone, so 53/UDP and 53/TCP are one item to them and the later one wins.
public final class DroppedServicePortCheck {

  private record Port(long number, String protocol) {
    @Override
    public String toString() {
      return number + "/" + protocol;
    }
  }

  private DroppedServicePortCheck() {}

  /// One warning for each port that was there or in the patch, was not deleted on purpose, and is
  /// not in the result.
  public static List<String> warnings(ObjectNode current, ObjectNode patch, ObjectNode result) {
    JsonNode changes = Json.at(patch, "spec", "ports");
    if (changes.isEmpty()) {
      return List.of();
    }
    Set<Long> deleted = new HashSet<>();
    boolean replaced = false;
    Set<Port> wanted = new LinkedHashSet<>();
    for (JsonNode item : changes) {
      String directive = Json.textOr(item, "", StrategicMergePatch.DIRECTIVE);
      replaced |= directive.equals("replace");
      if (directive.equals("delete")) {
        deleted.add(item.path("port").asLong(0));
      } else if (item.has("port") && item.has("protocol")) {
        wanted.add(port(item));
      }
    }
    if (!replaced) {
      for (JsonNode item : Json.at(current, "spec", "ports")) {
        if (!deleted.contains(item.path("port").asLong(0))) {
          wanted.add(port(item));
        }
      }
    }
    for (JsonNode item : Json.at(result, "spec", "ports")) {
      wanted.remove(port(item));
    }
    List<String> warnings = new ArrayList<>();
    for (Port lost : wanted) {
      warnings.add(
          "spec.ports: port "
              + lost
              + " was dropped: a strategic merge patch tells ports apart by number alone; use"
              + " server-side apply to keep two protocols on one port");
    }
    return warnings;
  }

  private static Port port(JsonNode item) {
    return new Port(item.path("port").asLong(0), Json.textOr(item, "TCP", "protocol"));
  }
}
