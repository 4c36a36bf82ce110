package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The conditions of a definition, as its status lists them.
public final class DefinitionConditions {
  static final String NAMES_ACCEPTED = "NamesAccepted";
  public static final String ESTABLISHED = "Established";
  public static final String TERMINATING = "Terminating";

  private DefinitionConditions() {}

  /// Whether that condition is there and true.
  public static boolean isTrue(JsonNode definition, String type) {
    for (JsonNode condition : definition.path("status").path("conditions")) {
      if (Json.textOr(condition, "", "type").equals(type)) {
        return Json.textOr(condition, "", "status").equals("True");
      }
    }
    return false;
  }

  /// Sets a condition; the time of its last change stays when its state does. Changes the
  /// definition; returns whether anything is different.
  ///
  /// @param now the time, as the API writes times
  public static boolean set(
      ObjectNode definition,
      String type,
      boolean state,
      String reason,
      String message,
      String now) {
    ObjectNode status = Json.child(definition, "status");
    ArrayNode conditions =
        status.get("conditions") instanceof ArrayNode list ? list : status.putArray("conditions");
    String shown = state ? "True" : "False";
    for (JsonNode each : conditions) {
      if (each instanceof ObjectNode condition && Json.textOr(condition, "", "type").equals(type)) {
        if (Json.textOr(condition, "", "status").equals(shown)
            && Json.textOr(condition, "", "reason").equals(reason)
            && Json.textOr(condition, "", "message").equals(message)) {
          return false;
        }
        if (!Json.textOr(condition, "", "status").equals(shown)) {
          condition.put("lastTransitionTime", now);
        }
        condition.put("status", shown).put("reason", reason).put("message", message);
        return true;
      }
    }
    conditions
        .addObject()
        .put("type", type)
        .put("status", shown)
        .put("lastTransitionTime", now)
        .put("reason", reason)
        .put("message", message);
    return true;
  }
}
