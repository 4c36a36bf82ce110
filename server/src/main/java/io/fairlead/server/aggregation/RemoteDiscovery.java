package io.fairlead.server.aggregation;

import io.fairlead.api.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns the list of resources that every API server has for a version (`APIResourceList`) into the
/// entry of that version in an aggregated document. Pure.
final class RemoteDiscovery {
  private RemoteDiscovery() {}

  static ObjectNode version(String version, JsonNode list) {
    ObjectNode out = Json.object().put("version", version);
    Map<String, ObjectNode> resources = new LinkedHashMap<>();
    Map<String, ArrayNode> parts = new LinkedHashMap<>();
    for (JsonNode each : list.path("resources")) {
      String name = Json.textOr(each, "", "name");
      int slash = name.indexOf('/');
      ObjectNode entry = Json.object().put(slash < 0 ? "resource" : "subresource", name);
      entry.set("responseKind", kind(each));
      if (slash < 0) {
        entry.put("scope", each.path("namespaced").asBoolean(false) ? "Namespaced" : "Cluster");
        entry.put("singularResource", Json.textOr(each, "", "singularName"));
      } else {
        entry.put("subresource", name.substring(slash + 1));
      }
      entry.set("verbs", each.path("verbs").isArray() ? each.path("verbs") : Json.array());
      for (String optional : new String[] {"shortNames", "categories"}) {
        if (!each.path(optional).isEmpty()) {
          entry.set(optional, each.path(optional));
        }
      }
      if (slash < 0) {
        resources.put(name, entry);
      } else {
        parts.computeIfAbsent(name.substring(0, slash), _ -> Json.array()).add(entry);
      }
    }
    parts.forEach(
        (name, list2) -> {
          ObjectNode parent = resources.get(name);
          if (parent != null) {
            parent.set("subresources", list2);
          }
        });
    out.putArray("resources").addAll(resources.values());
    return out.put("freshness", "Current");
  }

  /// Group and version are empty where they are those of the document.
  private static ObjectNode kind(JsonNode resource) {
    return Json.object()
        .put("group", Json.textOr(resource, "", "group"))
        .put("version", Json.textOr(resource, "", "version"))
        .put("kind", Json.textOr(resource, "", "kind"));
  }
}
