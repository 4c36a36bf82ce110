package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1EndpointSlice;
import tools.jackson.databind.node.ObjectNode;

/// A port all endpoints of a slice serve.
///
/// @param name empty for the only one of a Service
/// @param port 0 when a slice that this controller did not write leaves it open
/// @param appProtocol empty when absent
public record SlicePort(String name, String protocol, int port, String appProtocol) {
  static SlicePort of(V1EndpointSlice.Port port) {
    String name = port.name();
    return new SlicePort(
        name == null ? "" : name, port.protocol(), port.port(), port.appProtocol());
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object().put("name", name).put("protocol", protocol).put("port", port);
    if (!appProtocol.isEmpty()) {
      json.put("appProtocol", appProtocol);
    }
    return json;
  }
}
