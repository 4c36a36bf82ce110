package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// How a pod failed: what its containers ended with and what was said about it. Only kept of pods
/// that failed.
///
/// @param exits of containers and init containers that ended
/// @param conditions as the pod tells them
public record Ending(List<Exit> exits, List<Condition> conditions) {
  /// How one container ended.
  public record Exit(String container, int code) {}

  /// @param status `True`, `False` or `Unknown`
  public record Condition(String type, String status) {}

  /// Of a pod that has not failed.
  public static final Ending NONE = new Ending(List.of(), List.of());

  public Ending {
    exits = List.copyOf(exits);
    conditions = List.copyOf(conditions);
  }

  static Ending of(JsonNode status) {
    if (!Json.textOr(status, "", "phase").equals("Failed")) {
      return NONE;
    }
    List<Exit> exits = new ArrayList<>();
    for (String list : List.of("containerStatuses", "initContainerStatuses")) {
      for (JsonNode container : status.path(list)) {
        JsonNode code = Json.at(container, "state", "terminated", "exitCode");
        if (code.isNumber()) {
          exits.add(new Exit(Json.textOr(container, "", "name"), code.asInt()));
        }
      }
    }
    List<Condition> conditions = new ArrayList<>();
    for (JsonNode condition : status.path("conditions")) {
      conditions.add(
          new Condition(
              Json.textOr(condition, "", "type").intern(),
              Json.textOr(condition, "", "status").intern()));
    }
    return new Ending(exits, conditions);
  }
}
