package io.fairlead.agent.files;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.status.Qos;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Quantity;
import java.util.List;
import java.util.function.ToLongFunction;

/// What containers and pods ask for, in the units of the kernel. Pure.
final class ResourceReader {
  private static final int GUARANTEED_SCORE = -997;
  private static final int BEST_EFFORT_SCORE = 1000;
  private static final int LEAST_SCORE = 3;
  private static final int MOST_SCORE = 999;

  private ResourceReader() {}

  /// @param memory what the node has, in bytes
  static LinuxContainerResources of(Pod pod, Container container, long memory) {
    LinuxContainerResources own = of(container);
    return new LinuxContainerResources(
        own.cpuRequest(),
        own.cpuLimit(),
        own.memoryRequest(),
        own.memoryLimit(),
        score(Qos.of(pod), own.memoryRequest(), memory));
  }

  /// Of all containers together: those that run side by side are added up, and a container that
  /// runs before them may use more alone. A limit holds only if each container has one.
  static LinuxContainerResources of(Pod pod) {
    return new LinuxContainerResources(
        together(pod, LinuxContainerResources::cpuRequest, false),
        together(pod, LinuxContainerResources::cpuLimit, true),
        together(pod, LinuxContainerResources::memoryRequest, false),
        together(pod, LinuxContainerResources::memoryLimit, true),
        0);
  }

  private static long together(
      Pod pod, ToLongFunction<LinuxContainerResources> part, boolean eachOrNone) {
    List<LinuxContainerResources> all = pod.allContainers().map(ResourceReader::of).toList();
    if (eachOrNone && all.stream().anyMatch(one -> part.applyAsLong(one) == 0)) {
      return 0;
    }
    long sidecars = pod.sidecars().stream().map(ResourceReader::of).mapToLong(part).sum();
    long regular = pod.containers().stream().map(ResourceReader::of).mapToLong(part).sum();
    long before =
        pod.initContainers().stream()
            .filter(one -> !one.sidecar())
            .map(ResourceReader::of)
            .mapToLong(part)
            .max()
            .orElse(0);
    return sidecars + Math.max(regular, before);
  }

  private static LinuxContainerResources of(Container container) {
    long cpuLimit = quantity(container, "limits", "cpu", Quantity::milliValue);
    long memoryLimit = quantity(container, "limits", "memory", Quantity::value);
    long cpu = quantity(container, "requests", "cpu", Quantity::milliValue);
    long memory = quantity(container, "requests", "memory", Quantity::value);
    // Who names only a limit asks for that much.
    return new LinuxContainerResources(
        cpu == 0 ? cpuLimit : cpu, cpuLimit, memory == 0 ? memoryLimit : memory, memoryLimit, 0);
  }

  private static long quantity(
      Container container, String list, String name, ToLongFunction<Quantity> unit) {
    String text = Json.at(container.body(), "resources", list, name).asString("");
    Quantity quantity = text.isEmpty() ? null : Quantity.parseOrNull(text);
    return quantity == null ? 0 : unit.applyAsLong(quantity);
  }

  private static int score(String quality, long request, long memory) {
    return switch (quality) {
      case "Guaranteed" -> GUARANTEED_SCORE;
      case "Burstable" ->
          Math.clamp(1000 - 1000 * request / Math.max(1, memory), LEAST_SCORE, MOST_SCORE);
      default -> BEST_EFFORT_SCORE;
    };
  }
}
