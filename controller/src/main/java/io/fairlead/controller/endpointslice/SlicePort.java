package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A port all endpoints of a slice serve.
///
/// @param name empty for the only one of a Service
/// @param port 0 when a slice of somebody else leaves it open
/// @param appProtocol empty when nothing is said
public record SlicePort(String name, String protocol, int port, String appProtocol) {
  static SlicePort of(JsonNode port) {
    return new SlicePort(
        Json.textOr(port, "", "name").intern(),
        Json.textOr(port, "TCP", "protocol").intern(),
        port.path("port").asInt(0),
        Json.textOr(port, "", "appProtocol").intern());
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object().put("name", name).put("protocol", protocol).put("port", port);
    if (!appProtocol.isEmpty()) {
      json.put("appProtocol", appProtocol);
    }
    return json;
  }
}
