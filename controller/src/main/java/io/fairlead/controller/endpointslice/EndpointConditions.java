package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.Service;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The state of an endpoint. This controller writes all three; in slices of others each may be
/// missing.
record EndpointConditions(
    @Nullable Boolean ready, @Nullable Boolean serving, @Nullable Boolean terminating) {
  static EndpointConditions of(Service service, EndpointPod pod) {
    boolean ready = service.publishNotReadyAddresses() || (pod.ready() && !pod.terminating());
    return new EndpointConditions(ready, pod.ready(), pod.terminating());
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
}
