package io.fairlead.api.quota;

import io.fairlead.api.schema.Quantity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// What a pod asks for and is limited to, all its containers together: the sum of those that run
/// side by side, or the largest of those that run before them.
public final class PodAmounts {
  private PodAmounts() {}

  /// @param side `requests` or `limits`
  public static Map<String, Quantity> of(JsonNode spec, String side) {
    Map<String, Quantity> sum = new TreeMap<>();
    for (JsonNode container : spec.path("containers")) {
      ResourceAmounts.add(sum, ofContainer(container, side));
    }
    Map<String, Quantity> before = new TreeMap<>();
    Map<String, Quantity> sidecars = new TreeMap<>();
    for (JsonNode container : spec.path("initContainers")) {
      Map<String, Quantity> own = new TreeMap<>(ofContainer(container, side));
      if (container.path("restartPolicy").asString("").equals("Always")) {
        ResourceAmounts.add(sidecars, own);
        ResourceAmounts.add(sum, own);
        own = new TreeMap<>(sidecars);
      } else {
        ResourceAmounts.add(own, sidecars);
      }
      ResourceAmounts.largest(before, own);
    }
    ResourceAmounts.largest(sum, before);
    sum.putAll(ResourceAmounts.of(spec.path("resources").path(side)));
    ResourceAmounts.add(sum, ResourceAmounts.of(spec.path("overhead")));
    return sum;
  }

  public static Map<String, Quantity> ofContainer(JsonNode container, String side) {
    return ResourceAmounts.of(container.path("resources").path(side));
  }

  /// Whether no container asks for processors or memory, or limits them.
  public static boolean isBestEffort(JsonNode spec) {
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.path(list)) {
        for (String side : List.of("requests", "limits")) {
          for (String name : List.of("cpu", "memory")) {
            Quantity amount = ofContainer(container, side).get(name);
            if (amount != null && !amount.isZero()) {
              return false;
            }
          }
        }
      }
    }
    return true;
  }
}
