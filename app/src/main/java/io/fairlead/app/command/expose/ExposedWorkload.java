package io.fairlead.app.command.expose;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a user wants to reach: a pod, or what makes pods.
///
/// @param name as the user writes it, `deploy/web`
/// @param object as the API server has it
record ExposedWorkload(String name, ResourceType type, ObjectNode object) {
  private static final Map<String, ResourceType> TYPES = new TreeMap<>();

  static {
    add(ResourceType.PODS, "po");
    add(ResourceType.DEPLOYMENTS, "deploy");
    add(ResourceType.REPLICA_SETS, "rs");
    add(ResourceType.STATEFUL_SETS, "sts");
    add(ResourceType.DAEMON_SETS, "ds");
    add(ResourceType.REPLICATION_CONTROLLERS, "rc");
  }

  private static void add(ResourceType type, String brief) {
    TYPES.put(brief, type);
    TYPES.put(type.plural(), type);
    TYPES.put(type.kind().toLowerCase(Locale.ROOT), type);
  }

  /// A port that a container says it listens on.
  record ContainerPort(String name, int number, String protocol) {}

  /// The kind that a user names, in the singular, the plural or for short, with or without a group.
  static Optional<ResourceType> type(String word) {
    return Optional.ofNullable(TYPES.get(word.toLowerCase(Locale.ROOT).replaceFirst("\\..*", "")));
  }

  ObjectKey key() {
    return new ObjectKey(
        Json.textOr(object, "", "metadata", "namespace"),
        Json.textOr(object, "", "metadata", "name"));
  }

  Map<String, String> labels() {
    return strings(Json.at(object, "metadata", "labels"));
  }

  /// The labels that its pods have in any case: by these a Service finds them.
  Map<String, String> selector() {
    if (type.equals(ResourceType.PODS)) {
      return labels();
    }
    return strings(
        type.equals(ResourceType.REPLICATION_CONTROLLERS)
            ? Json.at(object, "spec", "selector")
            : Json.at(object, "spec", "selector", "matchLabels"));
  }

  /// Whether its selector says more than labels can.
  boolean hasExpressions() {
    return !Json.at(object, "spec", "selector", "matchExpressions").isEmpty();
  }

  /// What its containers say they listen on, each once.
  List<ContainerPort> ports() {
    JsonNode spec =
        type.equals(ResourceType.PODS)
            ? object.path("spec")
            : Json.at(object, "spec", "template", "spec");
    List<ContainerPort> ports = new ArrayList<>();
    for (JsonNode container : spec.path("containers")) {
      for (JsonNode each : container.path("ports")) {
        ContainerPort port =
            new ContainerPort(
                Json.textOr(each, "", "name"),
                each.path("containerPort").asInt(0),
                Json.textOr(each, "TCP", "protocol"));
        boolean known =
            ports.stream()
                .anyMatch(
                    other ->
                        other.number() == port.number()
                            && other.protocol().equals(port.protocol()));
        if (!known) {
          ports.add(port);
        }
      }
    }
    return ports;
  }

  private static Map<String, String> strings(JsonNode object) {
    Map<String, String> strings = new TreeMap<>();
    if (object instanceof ObjectNode members) {
      members
          .properties()
          .forEach(member -> strings.put(member.getKey(), member.getValue().asString("")));
    }
    return strings;
  }
}
