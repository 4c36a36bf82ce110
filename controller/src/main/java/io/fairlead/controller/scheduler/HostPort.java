package io.fairlead.controller.scheduler;

import io.fairlead.api.json.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// A port of the node itself that a pod wants to have.
record HostPort(String address, String protocol, int port) {
  private static final String ANY = "0.0.0.0";

  static Set<HostPort> of(JsonNode spec) {
    Set<HostPort> ports = new LinkedHashSet<>();
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.path(list)) {
        for (JsonNode port : container.path("ports")) {
          int number = port.path("hostPort").asInt(0);
          if (number > 0) {
            String address = Json.textOr(port, "", "hostIP");
            ports.add(
                new HostPort(
                    address.isEmpty() ? ANY : address,
                    Json.textOr(port, "TCP", "protocol"),
                    number));
          }
        }
      }
    }
    return ports;
  }

  /// All addresses clash with each.
  boolean clashes(HostPort other) {
    return port == other.port
        && protocol.equals(other.protocol)
        && (address.equals(ANY) || other.address.equals(ANY) || address.equals(other.address));
  }
}
