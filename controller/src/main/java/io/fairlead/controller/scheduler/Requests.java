package io.fairlead.controller.scheduler;

import io.fairlead.api.json.Json;
import io.fairlead.controller.placement.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import tools.jackson.databind.JsonNode;

/// What a pod asks of a node: the sum over its containers, or what its initialisation needs at one
/// moment if that is more; sidecars run beside both; the overhead of its runtime comes on top.
final class Requests {
  private static final long ASSUMED_MILLI_CPU = 100;
  private static final long ASSUMED_MEMORY = 200L << 20;

  private Requests() {}

  static Map<String, Long> of(JsonNode spec) {
    return total(spec, false);
  }

  /// The same for scoring: a container that asks for nothing still uses something.
  static Map<String, Long> assumed(JsonNode spec) {
    return total(spec, true);
  }

  private static Map<String, Long> total(JsonNode spec, boolean assume) {
    Map<String, Long> running = new LinkedHashMap<>();
    for (JsonNode container : spec.path("containers")) {
      merge(running, one(container, assume), Long::sum);
    }
    Map<String, Long> sidecars = new LinkedHashMap<>();
    Map<String, Long> starting = new LinkedHashMap<>();
    for (JsonNode container : spec.path("initContainers")) {
      Map<String, Long> asked = one(container, assume);
      if (Json.textOr(container, "", "restartPolicy").equals("Always")) {
        merge(sidecars, asked, Long::sum);
        merge(starting, sidecars, Math::max);
      } else {
        Map<String, Long> moment = new LinkedHashMap<>(sidecars);
        merge(moment, asked, Long::sum);
        merge(starting, moment, Math::max);
      }
    }
    merge(running, sidecars, Long::sum);
    merge(running, starting, Math::max);
    merge(running, Node.amounts(spec.path("overhead")), Long::sum);
    return running;
  }

  private static Map<String, Long> one(JsonNode container, boolean assume) {
    Map<String, Long> asked =
        new LinkedHashMap<>(Node.amounts(Json.at(container, "resources", "requests")));
    if (assume) {
      asked.putIfAbsent("cpu", ASSUMED_MILLI_CPU);
      asked.putIfAbsent("memory", ASSUMED_MEMORY);
    }
    return asked;
  }

  private static void merge(
      Map<String, Long> into, Map<String, Long> from, LongBinaryOperator how) {
    from.forEach(
        (resource, amount) -> into.merge(resource, amount, (a, b) -> how.applyAsLong(a, b)));
  }
}
