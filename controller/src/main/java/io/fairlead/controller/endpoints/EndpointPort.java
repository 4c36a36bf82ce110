package io.fairlead.controller.endpoints;

import io.fairlead.api.json.Json;
import java.util.Comparator;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One port in an Endpoints object.
///
/// @param name empty when it is the only one and has none
/// @param protocol `TCP`, `UDP` or `SCTP`
public record EndpointPort(String name, int port, String protocol, Optional<String> appProtocol)
    implements Comparable<EndpointPort> {
  private static final Comparator<EndpointPort> ORDER =
      Comparator.comparingInt(EndpointPort::port)
          .thenComparing(EndpointPort::protocol)
          .thenComparing(EndpointPort::name)
          .thenComparing(port -> port.appProtocol().orElse(""));

  static EndpointPort of(JsonNode port) {
    return new EndpointPort(
        Json.textOr(port, "", "name").intern(),
        port.path("port").asInt(0),
        Json.textOr(port, "TCP", "protocol").intern(),
        Optional.ofNullable(Json.text(port, "appProtocol")));
  }

  @Override
  public int compareTo(EndpointPort other) {
    return ORDER.compare(this, other);
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object();
    if (!name.isEmpty()) {
      json.put("name", name);
    }
    json.put("port", port).put("protocol", protocol);
    appProtocol.ifPresent(text -> json.put("appProtocol", text));
    return json;
  }
}
