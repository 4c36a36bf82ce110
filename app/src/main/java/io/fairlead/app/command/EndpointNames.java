package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which pod and node an endpoint's address belongs to, as the slices of a Service say.
final class EndpointNames {
  private record Owner(String pod, String node) {}

  private final Map<String, Owner> byAddress = new HashMap<>();

  private EndpointNames() {}

  static EndpointNames of(List<ObjectNode> slices) {
    EndpointNames names = new EndpointNames();
    for (ObjectNode slice : slices) {
      for (JsonNode endpoint : slice.path("endpoints")) {
        Owner owner =
            new Owner(
                Json.textOr(endpoint, "", "targetRef", "name"),
                Json.textOr(endpoint, "", "nodeName"));
        endpoint
            .path("addresses")
            .forEach(address -> names.byAddress.put(address.asString(""), owner));
      }
    }
    return names;
  }

  /// Knows a pod, too, that is asked for by its own address.
  EndpointNames with(ObjectNode pod) {
    Owner owner =
        new Owner(
            Json.textOr(pod, "", "metadata", "name"), Json.textOr(pod, "", "spec", "nodeName"));
    byAddress.put(Json.textOr(pod, "", "status", "podIP"), owner);
    return this;
  }

  /// Adds `pod` and `node` to an object with an `address`; null where no slice names it.
  void add(ObjectNode endpoint) {
    Owner owner = byAddress.get(Json.textOr(endpoint, "", "address"));
    if (owner == null || owner.pod().isEmpty()) {
      endpoint.putNull("pod");
    } else {
      endpoint.put("pod", owner.pod());
    }
    if (owner == null || owner.node().isEmpty()) {
      endpoint.putNull("node");
    } else {
      endpoint.put("node", owner.node());
    }
  }
}
