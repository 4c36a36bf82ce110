package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Who connects to a service port: the addresses with most tracked connections, over all nodes.
final class FlowSources {
  private static final int MOST = 5;

  private FlowSources() {}

  /// Adds `sources` to each entry of a document `Top`.
  ///
  /// @param flows the documents `NodeFlows` that it was made of
  static void add(ObjectNode top, List<ObjectNode> flows) {
    for (JsonNode each : top.path("services")) {
      if (each instanceof ObjectNode port) {
        Map<String, Integer> tracked = new HashMap<>();
        for (ObjectNode node : flows) {
          node.path("services").forEach(service -> sum(port, service, tracked));
        }
        ArrayNode sources = port.putArray("sources");
        tracked.entrySet().stream()
            .sorted(
                Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(MOST)
            .forEach(
                one ->
                    sources
                        .addObject()
                        .put("address", one.getKey())
                        .put("connections", one.getValue()));
        port.put("sourceCount", tracked.size());
      }
    }
  }

  private static void sum(ObjectNode port, JsonNode service, Map<String, Integer> tracked) {
    boolean same =
        List.of("namespace", "name", "port").stream()
            .allMatch(
                field -> Json.textOr(service, "", field).equals(Json.textOr(port, "", field)));
    if (same && service.path("number").asInt(0) == port.path("number").asInt(0)) {
      service
          .path("topSources")
          .forEach(
              client ->
                  tracked.merge(
                      Json.textOr(client, "", "address"),
                      client.path("connections").asInt(0),
                      Integer::sum));
    }
  }
}
