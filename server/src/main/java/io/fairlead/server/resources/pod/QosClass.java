package io.fairlead.server.resources.pod;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// How a pod is treated when its node runs out of something, by what it asks for.
final class QosClass {
  private static final List<String> COUNTED = List.of("cpu", "memory");

  private QosClass() {}

  /// `BestEffort` asks for nothing, `Guaranteed` limits all that it asks for to just that, in every
  /// container; all between is `Burstable`. `spec` has its defaults.
  static String of(JsonNode spec) {
    boolean asks = false;
    boolean guaranteed = true;
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(list)) {
        JsonNode requests = container.path("resources").path("requests");
        JsonNode limits = container.path("resources").path("limits");
        for (String resource : COUNTED) {
          boolean requested = isAsked(requests.path(resource));
          boolean limited = isAsked(limits.path(resource));
          asks |= requested || limited;
          guaranteed &= limited && requests.path(resource).equals(limits.path(resource));
        }
      }
    }
    if (!asks) {
      return "BestEffort";
    }
    return guaranteed ? "Guaranteed" : "Burstable";
  }

  private static boolean isAsked(JsonNode quantity) {
    String text = quantity.asString("");
    return !text.isEmpty() && !text.equals("0");
  }
}
