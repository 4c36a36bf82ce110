package io.fairlead.agent.discovery;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// What a pod may learn about itself.
///
/// @param allocatable what a container without a limit may use at most, by resource
public record DownwardFields(
    List<String> podAddresses,
    List<String> nodeAddresses,
    java.util.Map<String, Quantity> allocatable) {
  public DownwardFields {
    podAddresses = List.copyOf(podAddresses);
    nodeAddresses = List.copyOf(nodeAddresses);
    allocatable = java.util.Map.copyOf(allocatable);
  }

  /// The value of a `fieldRef`; empty when there is no such field.
  public Optional<String> field(Pod pod, String path) {
    for (String map : List.of("labels", "annotations")) {
      String prefix = "metadata." + map;
      if (path.equals(prefix)) {
        return Optional.of(lines(Json.at(pod.body(), "metadata", map)));
      }
      if (path.startsWith(prefix + "['") && path.endsWith("']")) {
        String key = path.substring(prefix.length() + 2, path.length() - 2);
        return Optional.of(Json.textOr(pod.body(), "", "metadata", map, key));
      }
    }
    return switch (path) {
      case "metadata.name" -> Optional.of(pod.name());
      case "metadata.namespace" -> Optional.of(pod.namespace());
      case "metadata.uid" -> Optional.of(pod.uid());
      case "spec.nodeName" -> Optional.of(Json.textOr(pod.spec(), "", "nodeName"));
      case "spec.serviceAccountName" ->
          Optional.of(Json.textOr(pod.spec(), "", "serviceAccountName"));
      case "status.podIP" -> Optional.of(podAddresses.stream().findFirst().orElse(""));
      case "status.podIPs" -> Optional.of(String.join(",", podAddresses));
      case "status.hostIP" -> Optional.of(nodeAddresses.stream().findFirst().orElse(""));
      case "status.hostIPs" -> Optional.of(String.join(",", nodeAddresses));
      default -> Optional.empty();
    };
  }

  private static String lines(JsonNode map) {
    TreeMap<String, String> sorted = new TreeMap<>();
    map.properties().forEach(one -> sorted.put(one.getKey(), one.getValue().asString("")));
    return sorted.entrySet().stream()
        .map(one -> one.getKey() + "=" + Json.mapper().writeValueAsString(one.getValue()))
        .collect(Collectors.joining("\n"));
  }

  /// The value of a `resourceFieldRef`: `limits.cpu`, rounded up to whole divisors.
  public Optional<String> resource(Container container, String resource, String divisor) {
    int dot = resource.indexOf('.');
    if (dot < 0 || !List.of("limits", "requests").contains(resource.substring(0, dot))) {
      return Optional.empty();
    }
    String name = resource.substring(dot + 1);
    String text =
        Json.at(container.body(), "resources", resource.substring(0, dot), name).asString("");
    Quantity quantity = text.isEmpty() ? null : Quantity.parseOrNull(text);
    if (quantity == null) {
      boolean limit = resource.startsWith("limits.");
      quantity = limit ? allocatable.getOrDefault(name, Quantity.ZERO) : Quantity.ZERO;
    }
    Quantity unit = divisor.isEmpty() || divisor.equals("0") ? null : Quantity.parseOrNull(divisor);
    BigDecimal value = BigDecimal.valueOf(quantity.milliValue());
    BigDecimal by = BigDecimal.valueOf(unit == null ? 1000 : unit.milliValue());
    return Optional.of(value.divide(by, 0, RoundingMode.CEILING).toPlainString());
  }
}
