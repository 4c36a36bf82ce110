package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1EndpointSlice;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// One entry of a slice. Immutable; empty texts mean that the field is absent.
record SliceEndpoint(
    List<String> addresses,
    EndpointConditions conditions,
    String hostname,
    EndpointTargetRef target,
    String nodeName,
    String zone,
    EndpointHints hints) {
  /// What makes two entries the same endpoint. The uid is no part of it: a pod that took the place
  /// of another with its name and address changes the entry in place.
  record Identity(List<String> addresses, String hostname, String namespace, String name) {}

  SliceEndpoint {
    addresses = List.copyOf(addresses);
  }

  static SliceEndpoint of(V1EndpointSlice.Endpoint endpoint) {
    return new SliceEndpoint(
        endpoint.addresses(),
        new EndpointConditions(endpoint.ready(), endpoint.serving(), endpoint.terminating()),
        endpoint.hostname(),
        EndpointTargetRef.of(endpoint.target()),
        endpoint.nodeName(),
        endpoint.zone(),
        EndpointHints.of(endpoint.forZones(), endpoint.forNodes()));
  }

  Identity identity() {
    List<String> sorted = addresses.size() < 2 ? addresses : addresses.stream().sorted().toList();
    return new Identity(sorted, hostname, target.namespace(), target.name());
  }

  boolean isReady() {
    return conditions.isReady();
  }

  /// Whether both say the same about one endpoint, whomever it is meant for.
  boolean saysTheSame(SliceEndpoint other) {
    return conditions.equals(other.conditions)
        && target.equals(other.target)
        && nodeName.equals(other.nodeName)
        && zone.equals(other.zone);
  }

  SliceEndpoint with(EndpointHints others) {
    return hints.equals(others)
        ? this
        : new SliceEndpoint(addresses, conditions, hostname, target, nodeName, zone, others);
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object();
    ArrayNode list = json.putArray("addresses");
    addresses.forEach(list::add);
    json.set("conditions", conditions.toJson());
    put(json, "hostname", hostname);
    if (!target.isNone()) {
      json.set("targetRef", target.toJson());
    }
    put(json, "nodeName", nodeName);
    put(json, "zone", zone);
    if (!hints.isNone()) {
      json.set("hints", hints.toJson());
    }
    return json;
  }

  private static void put(ObjectNode json, String name, String value) {
    if (!value.isEmpty()) {
      json.put(name, value);
    }
  }
}
