package io.fairlead.controller.endpoints;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Addresses that all serve the same ports.
public record EndpointSubset(
    List<EndpointAddress> ready, List<EndpointAddress> notReady, List<EndpointPort> ports) {
  public EndpointSubset {
    ready = List.copyOf(ready);
    notReady = List.copyOf(notReady);
    ports = List.copyOf(ports);
  }

  /// Those of an Endpoints object.
  public static List<EndpointSubset> listOf(JsonNode endpoints) {
    List<EndpointSubset> subsets = new ArrayList<>();
    for (JsonNode subset : endpoints.path("subsets")) {
      subsets.add(
          new EndpointSubset(
              addresses(subset.path("addresses")),
              addresses(subset.path("notReadyAddresses")),
              ports(subset.path("ports"))));
    }
    return subsets;
  }

  static ArrayNode toJson(List<EndpointSubset> subsets) {
    ArrayNode list = Json.array();
    subsets.forEach(subset -> list.add(subset.toJson()));
    return list;
  }

  boolean isEmpty() {
    return ready.isEmpty() && notReady.isEmpty();
  }

  private static List<EndpointAddress> addresses(JsonNode list) {
    List<EndpointAddress> addresses = new ArrayList<>(list.size());
    list.forEach(address -> addresses.add(EndpointAddress.of(address)));
    return addresses;
  }

  private static List<EndpointPort> ports(JsonNode list) {
    List<EndpointPort> ports = new ArrayList<>(list.size());
    list.forEach(port -> ports.add(EndpointPort.of(port)));
    return ports;
  }

  private ObjectNode toJson() {
    ObjectNode subset = Json.object();
    put(subset, "addresses", ready);
    put(subset, "notReadyAddresses", notReady);
    if (!ports.isEmpty()) {
      ArrayNode list = subset.putArray("ports");
      ports.forEach(port -> list.add(port.toJson()));
    }
    return subset;
  }

  private static void put(ObjectNode subset, String name, List<EndpointAddress> addresses) {
    if (!addresses.isEmpty()) {
      ArrayNode list = subset.putArray(name);
      addresses.forEach(address -> list.add(address.toJson()));
    }
  }
}
