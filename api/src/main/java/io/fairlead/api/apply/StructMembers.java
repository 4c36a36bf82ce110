package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The fields of a struct, prepared for walks: ownership is noted at every write, so nothing is
/// worked out twice. They live as long as the type.
final class StructMembers {
  /// Structs that Kubernetes embeds by value, beside every `metadata`, `spec` and `status`: they
  /// are there even when nothing is in them, so no manager comes to own them by filling them.
  private static final Set<String> BY_VALUE =
      Set.of(
          "DeploymentSpec.template",
          "DeploymentSpec.strategy",
          "ReplicaSetSpec.template",
          "StatefulSetSpec.template",
          "StatefulSetSpec.updateStrategy",
          "DaemonSetSpec.template",
          "DaemonSetSpec.updateStrategy",
          "JobSpec.template",
          "CronJobSpec.jobTemplate",
          "PodTemplate.template",
          "Container.resources",
          "EphemeralContainer.resources",
          "ContainerStatus.state",
          "ContainerStatus.lastState",
          "PersistentVolumeClaimSpec.resources",
          "ServiceStatus.loadBalancer",
          "IngressStatus.loadBalancer",
          "NodeStatus.daemonEndpoints",
          "NodeStatus.nodeInfo",
          "NodeDaemonEndpoints.kubeletEndpoint");

  /// One field.
  ///
  /// @param always what the field holds when it is left out; null when it can be absent
  record Member(String name, PathElement element, Shape shape, @Nullable JsonNode always) {
    /// The value, as the server holds it.
    @Nullable JsonNode in(ObjectNode object) {
      JsonNode value = object.get(name);
      return value == null || value.isNull() ? always : value;
    }
  }

  private final Map<String, Member> members = new LinkedHashMap<>();

  private StructMembers(StructType struct) {
    String simple = struct.name().substring(struct.name().lastIndexOf('.') + 1);
    for (Field field : struct.fields()) {
      members.put(
          field.name(),
          new Member(
              field.name(),
              PathElement.field(field.name()),
              Shape.of(field),
              always(simple, field)));
    }
  }

  static StructMembers of(StructType struct) {
    return struct.derived(StructMembers.class, StructMembers::new);
  }

  // No code changes these two; they only stand for "empty".
  private static @Nullable JsonNode always(String struct, Field field) {
    return switch (field.type()) {
      case StructType _ ->
          !field.pointer() && isByValue(struct, field.name()) ? Json.object() : null;
      // Lists that cannot be left out are null at least.
      case Type.ListOf _ -> field.required() ? Json.array() : null;
      case Type.MapOf _, Type.Scalar _ -> null;
    };
  }

  private static boolean isByValue(String struct, String field) {
    return switch (field) {
      case "metadata", "spec", "status" -> true;
      default -> BY_VALUE.contains(struct + "." + field);
    };
  }

  Collection<Member> all() {
    return members.values();
  }

  Set<String> names() {
    return members.keySet();
  }

  @Nullable Member get(String name) {
    return members.get(name);
  }
}
