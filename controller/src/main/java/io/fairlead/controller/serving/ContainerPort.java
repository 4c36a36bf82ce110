package io.fairlead.controller.serving;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A port a pod declares under a name. Ports without one cannot be asked for and are not kept.
public record ContainerPort(String name, String protocol, int port) {
  /// The named ports of the containers, then those of sidecars (init containers that are restarted
  /// always); plain init containers have ended before anybody may connect.
  static List<ContainerPort> named(JsonNode podSpec) {
    List<ContainerPort> ports = new ArrayList<>();
    for (JsonNode container : podSpec.path("containers")) {
      collect(container, ports);
    }
    for (JsonNode container : podSpec.path("initContainers")) {
      if ("Always".equals(Json.text(container, "restartPolicy"))) {
        collect(container, ports);
      }
    }
    return ports;
  }

  private static void collect(JsonNode container, List<ContainerPort> ports) {
    for (JsonNode port : container.path("ports")) {
      String name = Slim.shared(port, "name");
      if (!name.isEmpty()) {
        ports.add(
            new ContainerPort(
                name,
                Json.textOr(port, "TCP", "protocol").intern(),
                port.path("containerPort").asInt(0)));
      }
    }
  }
}
