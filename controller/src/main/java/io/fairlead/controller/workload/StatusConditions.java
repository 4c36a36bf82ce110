package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// The conditions in a status: one entry for each type.
public final class StatusConditions {
  private StatusConditions() {}

  /// The condition of a type; a missing node when there is none.
  public static JsonNode find(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (Json.textOr(condition, "", "type").equals(type)) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  public static boolean isTrue(JsonNode status, String type) {
    return Json.textOr(find(status, type), "", "status").equals("True");
  }

  /// Takes a condition away; nothing when it is not there.
  public static void remove(ObjectNode status, String type) {
    ArrayNode kept = Json.array();
    for (JsonNode condition : status.path("conditions")) {
      if (!Json.textOr(condition, "", "type").equals(type)) {
        kept.add(condition);
      }
    }
    if (kept.isEmpty()) {
      status.remove("conditions");
    } else {
      status.set("conditions", kept);
    }
  }

  /// Sets a condition, at the end of the list, unless its status and reason are there already; the
  /// time of its transition stays while its status stays. Says whether anything changed.
  public static boolean set(
      ObjectNode status,
      String type,
      String value,
      String reason,
      String message,
      boolean withUpdateTime,
      Instant now) {
    JsonNode old = find(status, type);
    boolean sameStatus = Json.textOr(old, "", "status").equals(value);
    if (sameStatus && Json.textOr(old, "", "reason").equals(reason)) {
      return false;
    }
    String transition =
        sameStatus
            ? Json.textOr(old, Rfc3339Times.text(now), "lastTransitionTime")
            : Rfc3339Times.text(now);
    ObjectNode fresh = Json.object().put("type", type).put("status", value);
    if (withUpdateTime) {
      fresh.put("lastUpdateTime", Rfc3339Times.text(now));
    }
    fresh.put("lastTransitionTime", transition);
    fresh.put("reason", reason).put("message", message);
    remove(status, type);
    status.withArray("conditions").add(fresh);
    return true;
  }
}
