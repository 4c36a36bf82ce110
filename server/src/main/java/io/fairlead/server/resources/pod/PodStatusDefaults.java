package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.kind.Defaults;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Fills in the status of a pod: the zero values that are always shown, and the two forms of its
/// address.
final class PodStatusDefaults {
  private static final List<String> CONTAINER_STATUSES =
      List.of("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses");

  private PodStatusDefaults() {}

  static void apply(ObjectNode pod) {
    if (!(pod.get("status") instanceof ObjectNode status)) {
      return;
    }
    for (String list : CONTAINER_STATUSES) {
      for (JsonNode container : status.path(list)) {
        if (container instanceof ObjectNode one) {
          applyToContainer(one);
        }
      }
    }
    mirrorAddress(status);
  }

  private static void applyToContainer(ObjectNode container) {
    Defaults.object(container, "state");
    Defaults.object(container, "lastState");
    Defaults.missingFlag(container, "ready", false);
    Defaults.missingNumber(container, "restartCount", 0);
    Defaults.missingText(container, "image", "");
    Defaults.missingText(container, "imageID", "");
  }

  private static void mirrorAddress(ObjectNode status) {
    String first = status.path("podIPs").path(0).path("ip").asString("");
    String one = status.path("podIP").asString("");
    if (one.isEmpty() && !first.isEmpty()) {
      status.put("podIP", first);
    } else if (!one.isEmpty() && !one.equals(first)) {
      ObjectNode address = Json.object();
      status.putArray("podIPs").add(address.put("ip", one));
    }
  }
}
