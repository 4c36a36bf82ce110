package io.fairlead.controller.serving;

import io.fairlead.api.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// One port of a Service.
///
/// @param name empty when it is the only one and has none
/// @param protocol `TCP`, `UDP` or `SCTP`
public record ServicePort(
    String name, String protocol, int port, TargetPort target, Optional<String> appProtocol) {
  static ServicePort of(JsonNode port) {
    int number = port.path("port").asInt(0);
    return new ServicePort(
        Slim.shared(port, "name"),
        Json.textOr(port, "TCP", "protocol").intern(),
        number,
        TargetPort.of(port.path("targetPort"), number),
        Optional.ofNullable(Json.text(port, "appProtocol")));
  }
}
