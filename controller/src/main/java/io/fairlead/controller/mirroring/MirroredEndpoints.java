package io.fairlead.controller.mirroring;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.controller.endpoints.EndpointAddress;
import io.fairlead.controller.endpoints.EndpointPort;
import io.fairlead.controller.endpoints.EndpointSubset;
import io.fairlead.controller.endpoints.Repacking;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The endpoints that subsets written by hand give, for each slice to be. Pure.
///
/// @param slices the endpoints by family and ports
/// @param invalid how many addresses are none
/// @param skipped how many were left out for their number
record MirroredEndpoints(Map<Group, ArrayNode> slices, int invalid, int skipped) {
  /// What one slice can hold: addresses of one family that serve the same ports.
  ///
  /// @param ports as they are written
  record Group(String addressType, Set<JsonNode> ports) {}

  /// @param most how many addresses of a subset are copied; ready ones come first
  static MirroredEndpoints of(Collection<EndpointSubset> subsets, int most) {
    Map<Group, ArrayNode> slices = new LinkedHashMap<>();
    int invalid = 0;
    int skipped = 0;
    for (EndpointSubset subset : Repacking.of(subsets)) {
      Set<JsonNode> ports = ports(subset.ports());
      int copied = 0;
      for (boolean ready : new boolean[] {true, false}) {
        for (EndpointAddress address : ready ? subset.ready() : subset.notReady()) {
          IpAddress ip = IpAddress.parseLenientOrNull(address.ip());
          if (copied == most) {
            skipped++;
          } else if (ip == null) {
            invalid++;
          } else {
            copied++;
            slices
                .computeIfAbsent(new Group(ip.family().toString(), ports), _ -> Json.array())
                .add(endpoint(address, ip, ready));
          }
        }
      }
    }
    return new MirroredEndpoints(slices, invalid, skipped);
  }

  private static ObjectNode endpoint(EndpointAddress address, IpAddress ip, boolean ready) {
    ObjectNode endpoint = Json.object();
    endpoint.putArray("addresses").add(ip.toString());
    endpoint.putObject("conditions").put("ready", ready);
    if (!address.hostname().isEmpty()) {
      endpoint.put("hostname", address.hostname());
    }
    address.target().ifPresent(target -> endpoint.set("targetRef", target.toJson()));
    if (!address.nodeName().isEmpty()) {
      endpoint.put("nodeName", address.nodeName());
    }
    return endpoint;
  }

  private static Set<JsonNode> ports(List<EndpointPort> ports) {
    Set<JsonNode> written = new LinkedHashSet<>();
    for (EndpointPort port : ports) {
      ObjectNode one =
          Json.object()
              .put("name", port.name())
              .put("protocol", port.protocol())
              .put("port", port.port());
      port.appProtocol().ifPresent(text -> one.put("appProtocol", text));
      written.add(one);
    }
    return written;
  }
}
