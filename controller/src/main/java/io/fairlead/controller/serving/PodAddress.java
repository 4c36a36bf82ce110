package io.fairlead.controller.serving;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// One address of a pod.
///
/// @param text canonical, however the status spells it
public record PodAddress(Family family, String text) {
  /// Those of `status.podIPs`; what is no address is left out.
  static List<PodAddress> of(JsonNode podStatus) {
    List<PodAddress> addresses = new ArrayList<>();
    for (JsonNode entry : podStatus.path("podIPs")) {
      IpAddress address = IpAddress.parseLenientOrNull(Json.textOr(entry, "", "ip"));
      if (address != null) {
        addresses.add(new PodAddress(address.family(), address.toString()));
      }
    }
    return addresses;
  }
}
