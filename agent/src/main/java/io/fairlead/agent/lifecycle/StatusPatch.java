package io.fairlead.agent.lifecycle;

import io.fairlead.api.json.Json;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A status as a strategic merge patch: conditions of others stay as they are, lists of addresses
/// are replaced, and the patch only fits the pod with that uid.
final class StatusPatch {
  private static final Set<String> OWN =
      Set.of(
          "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");

  private StatusPatch() {}

  /// @param uid of the pod in the API
  static ObjectNode of(String uid, ObjectNode status) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", uid);
    ObjectNode part = status.deepCopy();
    patch.set("status", part);
    ArrayNode conditions = Json.array();
    for (JsonNode condition : status.path("conditions")) {
      if (OWN.contains(Json.textOr(condition, "", "type"))
          && condition.deepCopy() instanceof ObjectNode own) {
        for (String field : List.of("reason", "message")) {
          if (!own.has(field)) {
            own.putNull(field);
          }
        }
        conditions.add(own);
      }
    }
    part.set("conditions", conditions);
    for (String list : List.of("podIPs", "hostIPs")) {
      if (part.get(list) instanceof ArrayNode addresses) {
        addresses.insert(0, Json.object().put("$patch", "replace"));
      }
    }
    return patch;
  }
}
