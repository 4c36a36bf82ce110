package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// For whom an endpoint is meant: clients in these zones, on these nodes.
record Hints(List<String> zones, List<String> nodes) {
  static final Hints NONE = new Hints(List.of(), List.of());

  Hints {
    zones = List.copyOf(zones);
    nodes = List.copyOf(nodes);
  }

  static Hints zone(String zone) {
    return new Hints(List.of(zone), List.of());
  }

  static Hints of(JsonNode hints) {
    List<String> zones = names(hints.path("forZones"));
    List<String> nodes = names(hints.path("forNodes"));
    return zones.isEmpty() && nodes.isEmpty() ? NONE : new Hints(zones, nodes);
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

  private static List<String> names(JsonNode list) {
    List<String> names = new ArrayList<>(list.size());
    list.forEach(entry -> names.add(Json.textOr(entry, "", "name").intern()));
    return names;
  }
}
