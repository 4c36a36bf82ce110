package io.fairlead.controller.serving;

import io.fairlead.api.schema.Quantity;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Node;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A node, as far as the endpoints on it depend on it. Immutable.
///
/// @param zone empty when it has none
/// @param ready its condition Ready is True
/// @param readyChanged when that condition last changed
/// @param controlPlane it is not meant for ordinary pods
/// @param allocatableMilliCpu 0 when not reported
public record EndpointNode(
    ObjectMeta metadata,
    String zone,
    boolean ready,
    Optional<Instant> readyChanged,
    boolean controlPlane,
    long allocatableMilliCpu)
    implements HasMetadata {
  private static final List<String> CONTROL_PLANE =
      List.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

  public static EndpointNode of(V1Node node) {
    ObjectMeta full = node.metadata();
    Map<String, String> labels = full.labels();
    Optional<V1Condition> condition = node.condition("Ready");
    return new EndpointNode(
        withoutLabels(full),
        labels.getOrDefault(V1Node.ZONE_LABEL, ""),
        condition.isPresent() && condition.get().isTrue(),
        condition.flatMap(V1Condition::transitionTime),
        CONTROL_PLANE.stream().anyMatch(labels::containsKey),
        milliCpu(node.allocatable().getOrDefault("cpu", "")));
  }

  public String name() {
    return metadata.name();
  }

  /// Whether the endpoint controllers see no difference.
  boolean actsLike(EndpointNode other) {
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

  private static long milliCpu(String cpu) {
    Quantity amount = cpu.isEmpty() ? null : Quantity.parseOrNull(cpu);
    return amount == null ? 0 : amount.milliValue();
  }
}
