package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// For whom an endpoint is meant: clients in these zones, on these nodes.
record EndpointHints(List<String> zones, List<String> nodes) {
  static final EndpointHints NONE = new EndpointHints(List.of(), List.of());

  EndpointHints {
    zones = List.copyOf(zones);
    nodes = List.copyOf(nodes);
  }

  static EndpointHints zone(String zone) {
    return new EndpointHints(List.of(zone), List.of());
  }

  static EndpointHints of(List<String> zones, List<String> nodes) {
    return zones.isEmpty() && nodes.isEmpty() ? NONE : new EndpointHints(zones, nodes);
  }

  boolean isNone() {
    return zones.isEmpty() && nodes.isEmpty();
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object();
    put(json, "forZones", zones);
    put(json, "forNodes", nodes);
    return json;
  }

  private static void put(ObjectNode json, String member, List<String> names) {
    if (!names.isEmpty()) {
      ArrayNode list = json.putArray(member);
      names.forEach(name -> list.addObject().put("name", name));
    }
  }
}
