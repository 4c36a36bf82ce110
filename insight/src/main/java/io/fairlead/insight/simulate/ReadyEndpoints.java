package io.fairlead.insight.simulate;

import io.fairlead.api.json.Json;
import io.fairlead.insight.simulate.ServiceEffect.PlacedEndpoint;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The endpoints of slices.
final class ReadyEndpoints {
  private ReadyEndpoints() {}

  /// Those that take new connections, each address once, sorted.
  static List<PlacedEndpoint> of(List<ObjectNode> slices) {
    return List.copyOf(byAddress(slices, true).values());
  }

  /// All, ready or not, by address.
  static Map<String, PlacedEndpoint> all(List<ObjectNode> slices) {
    return byAddress(slices, false);
  }

  private static Map<String, PlacedEndpoint> byAddress(List<ObjectNode> slices, boolean ready) {
    Map<String, PlacedEndpoint> found = new TreeMap<>();
    for (ObjectNode slice : slices) {
      for (JsonNode endpoint : slice.path("endpoints")) {
        if (ready && !endpoint.path("conditions").path("ready").asBoolean(true)) {
          continue;
        }
        for (JsonNode address : endpoint.path("addresses")) {
          String text = address.asString("");
          found.put(
              text,
              new PlacedEndpoint(
                  text,
                  Json.textOr(endpoint, "", "targetRef", "name"),
                  Json.textOr(endpoint, "", "nodeName"),
                  !PlaceholderPods.isPlaceholder(text)));
        }
      }
    }
    return found;
  }

  /// Whether two forms of a slice say the same to a proxy.
  static boolean sameContent(ObjectNode one, ObjectNode other) {
    return one.path("endpoints").equals(other.path("endpoints"))
        && one.path("ports").equals(other.path("ports"));
  }
}
