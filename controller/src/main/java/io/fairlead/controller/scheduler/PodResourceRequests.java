package io.fairlead.controller.scheduler;

import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.placement.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/// What a pod asks of a node: the sum over its containers, or what its initialisation needs at one
/// moment if that is more; sidecars run beside both; the overhead of its runtime comes on top.
final class PodResourceRequests {
  private static final long ASSUMED_MILLI_CPU = 100;
  private static final long ASSUMED_MEMORY = 200L << 20;

  private PodResourceRequests() {}

  static Map<String, Long> of(V1Pod.Spec spec) {
    return total(spec, false);
  }

  /// The same for scoring: a container that asks for nothing still uses something.
  static Map<String, Long> assumed(V1Pod.Spec spec) {
    return total(spec, true);
  }

  private static Map<String, Long> total(V1Pod.Spec spec, boolean assume) {
    Map<String, Long> running = new LinkedHashMap<>();
    for (V1Pod.Container container : spec.containers()) {
      merge(running, one(container, assume), Long::sum);
    }
    Map<String, Long> sidecars = new LinkedHashMap<>();
    Map<String, Long> starting = new LinkedHashMap<>();
    for (V1Pod.Container container : spec.initContainers()) {
      Map<String, Long> asked = one(container, assume);
      if (container.isSidecar()) {
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
    merge(running, Node.amounts(spec.scheduling().overhead()), Long::sum);
    return running;
  }

  private static Map<String, Long> one(V1Pod.Container container, boolean assume) {
    Map<String, Long> asked = Node.amounts(container.requests());
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
