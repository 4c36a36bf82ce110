package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.controller.serving.Pod;
import io.fairlead.controller.serving.Service;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The state of an endpoint. This controller writes all three; in slices of others each may be
/// missing.
record Conditions(
    @Nullable Boolean ready, @Nullable Boolean serving, @Nullable Boolean terminating) {
  static Conditions of(Service service, Pod pod) {
    boolean ready = service.publishNotReadyAddresses() || (pod.ready() && !pod.terminating());
    return new Conditions(ready, pod.ready(), pod.terminating());
  }

  static Conditions of(JsonNode conditions) {
    return new Conditions(
        flag(conditions, "ready"), flag(conditions, "serving"), flag(conditions, "terminating"));
  }

  /// Whether it is said to be ready, not merely not said to be unready.
  boolean isReady() {
    return Boolean.TRUE.equals(ready);
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object();
    put(json, "ready", ready);
    put(json, "serving", serving);
    put(json, "terminating", terminating);
    return json;
  }

  private static void put(ObjectNode json, String name, @Nullable Boolean value) {
    if (value != null) {
      json.put(name, value.booleanValue());
    }
  }

  private static @Nullable Boolean flag(JsonNode conditions, String name) {
    JsonNode value = conditions.path(name);
    return value.isBoolean() ? value.booleanValue() : null;
  }
}
