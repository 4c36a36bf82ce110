package io.fairlead.agent.status;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The conditions of a pod that the agent owns. Those of others are kept.
final class PodConditions {
  private static final Set<String> OWN =
      Set.of(
          "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");

  private record Condition(String type, boolean holds, String reason, String message) {}

  private PodConditions() {}

  /// @param before the conditions as they were, for the moments of change and those of others
  static ArrayNode of(
      Pod pod,
      PodPhase phase,
      boolean sandbox,
      List<ContainerView> initial,
      List<ContainerView> regular,
      JsonNode before,
      Instant now) {
    Condition containers = containersReady(phase, initial, regular);
    List<Condition> own =
        List.of(
            new Condition(
                "PodReadyToStartContainers", sandbox, sandbox ? "" : "PodSandboxNotReady", ""),
            initialized(phase, initial, regular),
            ready(pod, containers, before),
            containers,
            new Condition("PodScheduled", true, "", ""));
    ArrayNode list = Json.array();
    for (JsonNode other : before) {
      if (!OWN.contains(Json.textOr(other, "", "type"))) {
        list.add(other.deepCopy());
      }
    }
    own.forEach(condition -> list.add(node(condition, before, pod.generation(), now)));
    return list;
  }

  private static Condition initialized(
      PodPhase phase, List<ContainerView> initial, List<ContainerView> regular) {
    if (phase == PodPhase.SUCCEEDED) {
      return new Condition("Initialized", true, "PodCompleted", "");
    }
    List<String> missing =
        initial.stream()
            .filter(one -> !PodPhase.passed(one))
            .map(one -> one.spec().name())
            .toList();
    if (missing.isEmpty() || PodPhase.initialized(regular)) {
      return new Condition("Initialized", true, "", "");
    }
    return new Condition(
        "Initialized",
        false,
        "ContainersNotInitialized",
        "containers with incomplete status: [" + String.join(" ", missing) + "]");
  }

  private static Condition containersReady(
      PodPhase phase, List<ContainerView> initial, List<ContainerView> regular) {
    if (phase == PodPhase.SUCCEEDED) {
      return new Condition("ContainersReady", false, "PodCompleted", "");
    }
    if (phase == PodPhase.FAILED) {
      return new Condition("ContainersReady", false, "PodFailed", "");
    }
    List<String> unready = new ArrayList<>();
    for (ContainerView one : initial) {
      if (one.spec().sidecar() && !one.ready()) {
        unready.add(one.spec().name());
      }
    }
    regular.stream().filter(one -> !one.ready()).forEach(one -> unready.add(one.spec().name()));
    return unready.isEmpty()
        ? new Condition("ContainersReady", true, "", "")
        : new Condition(
            "ContainersReady",
            false,
            "ContainersNotReady",
            "containers with unready status: [" + String.join(" ", unready) + "]");
  }

  private static Condition ready(Pod pod, Condition containers, JsonNode before) {
    if (!containers.holds()) {
      return new Condition("Ready", false, containers.reason(), containers.message());
    }
    List<String> closed =
        pod.readinessGates().stream().filter(gate -> !open(gate, before)).toList();
    return closed.isEmpty()
        ? new Condition("Ready", true, "", "")
        : new Condition(
            "Ready",
            false,
            "ReadinessGatesNotReady",
            closed.stream()
                .map(
                    gate ->
                        find(before, gate) == null
                            ? "corresponding condition of pod readiness gate \""
                                + gate
                                + "\" does not exist."
                            : "the status of pod readiness gate \""
                                + gate
                                + "\" is not \"True\", but "
                                + Json.textOr(before(before, gate), "", "status"))
                .collect(Collectors.joining(", ", "", "")));
  }

  private static boolean open(String gate, JsonNode conditions) {
    return Json.textOr(before(conditions, gate), "", "status").equals("True");
  }

  private static JsonNode before(JsonNode conditions, String type) {
    JsonNode found = find(conditions, type);
    return found == null ? Json.object() : found;
  }

  private static @org.jspecify.annotations.Nullable JsonNode find(
      JsonNode conditions, String type) {
    for (JsonNode condition : conditions) {
      if (Json.textOr(condition, "", "type").equals(type)) {
        return condition;
      }
    }
    return null;
  }

  private static ObjectNode node(
      Condition condition, JsonNode before, long generation, Instant now) {
    String status = condition.holds() ? "True" : "False";
    JsonNode old = before(before, condition.type());
    String since = now.truncatedTo(ChronoUnit.SECONDS).toString();
    if (Json.textOr(old, "", "status").equals(status)) {
      since = Json.textOr(old, since, "lastTransitionTime");
    }
    ObjectNode node = Json.object().put("type", condition.type()).put("status", status);
    if (generation > 0) {
      node.put("observedGeneration", generation);
    }
    node.put("lastTransitionTime", since);
    if (!condition.reason().isEmpty()) {
      node.put("reason", condition.reason());
    }
    if (!condition.message().isEmpty()) {
      node.put("message", condition.message());
    }
    return node;
  }
}
