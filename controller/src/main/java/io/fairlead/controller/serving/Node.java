package io.fairlead.controller.serving;

import io.fairlead.api.json.Json;
import io.fairlead.api.quantity.Quantity;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A node, as far as the endpoints on it depend on it. Immutable.
///
/// @param zone empty when it has none
/// @param ready its condition Ready is True
/// @param readyChanged when that condition last changed
/// @param controlPlane it is not meant for ordinary pods
/// @param allocatableMilliCpu 0 when not reported
public record Node(
    ObjectMeta metadata,
    String zone,
    boolean ready,
    Optional<Instant> readyChanged,
    boolean controlPlane,
    long allocatableMilliCpu)
    implements HasMetadata {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final List<String> CONTROL_PLANE =
      List.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

  public static Node of(ObjectNode object) {
    ObjectMeta full = Slim.metadata(object);
    Map<String, String> labels = full.labels();
    JsonNode condition = Holdup.condition(object.path("status"), "Ready");
    return new Node(
        withoutLabels(full),
        labels.getOrDefault(ZONE, ""),
        condition.path("status").asString("").equals("True"),
        Slim.time(condition, "lastTransitionTime"),
        CONTROL_PLANE.stream().anyMatch(labels::containsKey),
        milliCpu(Json.at(object, "status", "allocatable", "cpu")));
  }

  public String name() {
    return metadata.name();
  }

  /// Whether the endpoint controllers see no difference.
  boolean actsLike(Node other) {
    return zone.equals(other.zone)
        && ready == other.ready
        && controlPlane == other.controlPlane
        && allocatableMilliCpu == other.allocatableMilliCpu;
  }

  private static ObjectMeta withoutLabels(ObjectMeta full) {
    return new ObjectMeta(
        full.key(),
        full.uid(),
        full.resourceVersion(),
        full.generation(),
        Map.of(),
        List.of(),
        List.of(),
        full.deletionTimestamp());
  }

  private static long milliCpu(JsonNode cpu) {
    if (!cpu.isString() && !cpu.isNumber()) {
      return 0;
    }
    Quantity amount = Quantity.parseOrNull(cpu.asString("0"));
    return amount == null ? 0 : amount.milliValue();
  }
}
