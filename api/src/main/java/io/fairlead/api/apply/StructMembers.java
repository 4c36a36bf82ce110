package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.ScalarKind;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The fields of a struct, prepared for walks: ownership is noted at every write, so nothing is
/// worked out twice. They live as long as the type.
final class StructMembers {
  /// Structs that Kubernetes embeds by value, beside every `metadata`, `spec` and `status`: they
  /// are there even when nothing is in them, so no manager comes to own them by filling them.
  private static final Set<String> BY_VALUE =
      Set.of(
          "AllocationResult.devices",
          "Binding.target",
          "ClusterRoleBinding.roleRef",
          "Container.resources",
          "ContainerResourceMetricSource.target",
          "ContainerResourceMetricStatus.current",
          "ContainerStatus.lastState",
          "ContainerStatus.state",
          "CronJobSpec.jobTemplate",
          "CustomResourceDefinitionSpec.names",
          "CustomResourceDefinitionStatus.acceptedNames",
          "DaemonSetSpec.template",
          "DaemonSetSpec.updateStrategy",
          "DeploymentSpec.strategy",
          "DeploymentSpec.template",
          "Endpoint.conditions",
          "EphemeralContainer.resources",
          "Event.deprecatedSource",
          "Event.involvedObject",
          "Event.regarding",
          "Event.source",
          "ExternalMetricSource.metric",
          "ExternalMetricSource.target",
          "ExternalMetricStatus.current",
          "ExternalMetricStatus.metric",
          "FlowSchemaSpec.priorityLevelConfiguration",
          "HTTPIngressPath.backend",
          "HorizontalPodAutoscalerSpec.scaleTargetRef",
          "IngressServiceBackend.port",
          "IngressStatus.loadBalancer",
          "JobSpec.template",
          "LimitedPriorityLevelConfiguration.limitResponse",
          "MutatingWebhook.clientConfig",
          "NetworkPolicySpec.podSelector",
          "NodeDaemonEndpoints.kubeletEndpoint",
          "NodeStatus.daemonEndpoints",
          "NodeStatus.nodeInfo",
          "ObjectMetricSource.describedObject",
          "ObjectMetricSource.metric",
          "ObjectMetricSource.target",
          "ObjectMetricStatus.current",
          "ObjectMetricStatus.describedObject",
          "ObjectMetricStatus.metric",
          "PersistentVolumeClaimSpec.resources",
          "PodTemplate.template",
          "PodsMetricSource.metric",
          "PodsMetricSource.target",
          "PodsMetricStatus.current",
          "PodsMetricStatus.metric",
          "PreferredSchedulingTerm.preference",
          "ReplicaSetSpec.template",
          "ResourceClaimSpec.devices",
          "ResourceMetricSource.target",
          "ResourceMetricStatus.current",
          "ResourceSliceSpec.pool",
          "RoleBinding.roleRef",
          "SelfSubjectReviewStatus.userInfo",
          "ServiceStatus.loadBalancer",
          "StatefulSetSpec.template",
          "StatefulSetSpec.updateStrategy",
          "TokenReviewStatus.user",
          "ValidatingWebhook.clientConfig",
          "VolumeAttachmentSpec.source",
          "WeightedPodAffinityTerm.podAffinityTerm");

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

  // No code changes these; they only stand for "empty".
  private static @Nullable JsonNode always(String struct, Field field) {
    return switch (field.type()) {
      case StructType _ ->
          !field.pointer() && isByValue(struct, field.name()) ? Json.object() : null;
      // Lists that cannot be left out are null at least.
      case Type.ListOf _ -> field.required() ? Json.array() : null;
      case Type.MapOf _ -> null;
      case Type.Scalar scalar ->
          field.written() || (field.required() && !field.pointer()) ? zero(scalar.kind()) : null;
    };
  }

  private static @Nullable JsonNode zero(ScalarKind kind) {
    return switch (kind) {
      case STRING -> JsonNodeFactory.instance.stringNode("");
      case BOOLEAN -> JsonNodeFactory.instance.booleanNode(false);
      case INT32, INT64 -> JsonNodeFactory.instance.numberNode(0);
      case DOUBLE, BYTES, TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY, ANY -> null;
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
