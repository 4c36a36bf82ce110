package io.fairlead.controller.endpoints;

import io.fairlead.api.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One address in an Endpoints object.
///
/// @param ip as written; the author of the object may have written anything
/// @param hostname its own name under the Service, empty for none
/// @param nodeName the node it is on, empty when unknown
public record EndpointAddress(
    String ip, String hostname, String nodeName, Optional<AddressTargetRef> target) {
  /// Two addresses are the same one when these agree.
  record Identity(String ip, String uid) implements Comparable<Identity> {
    @Override
    public int compareTo(Identity other) {
      int byAddress = ip.compareTo(other.ip);
      return byAddress != 0 ? byAddress : uid.compareTo(other.uid);
    }
  }

  static EndpointAddress of(JsonNode address) {
    JsonNode reference = address.path("targetRef");
    return new EndpointAddress(
        Json.textOr(address, "", "ip"),
        Json.textOr(address, "", "hostname"),
        Json.textOr(address, "", "nodeName").intern(),
        reference.isObject() ? Optional.of(AddressTargetRef.of(reference)) : Optional.empty());
  }

  Identity identity() {
    return new Identity(ip, target.map(AddressTargetRef::uid).orElse(""));
  }

  ObjectNode toJson() {
    ObjectNode address = Json.object().put("ip", ip);
    if (!hostname.isEmpty()) {
      address.put("hostname", hostname);
    }
    if (!nodeName.isEmpty()) {
      address.put("nodeName", nodeName);
    }
    target.ifPresent(object -> address.set("targetRef", object.toJson()));
    return address;
  }
}
