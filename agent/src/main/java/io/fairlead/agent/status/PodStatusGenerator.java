package io.fairlead.agent.status;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.api.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A pod's status made from what is known of its containers.
///
/// @param shown makes of a container's identity the one that the API shows: `containerd://0f3a`
/// @param nodeAddresses of the node, the first is `hostIP`
public record PodStatusGenerator(UnaryOperator<String> shown, List<String> nodeAddresses) {
  public PodStatusGenerator {
    nodeAddresses = List.copyOf(nodeAddresses);
  }

  /// @param scheme in front of every identity
  public PodStatusGenerator(String scheme, List<String> nodeAddresses) {
    this(container -> scheme + container, nodeAddresses);
  }

  /// What the containers alone make of the pod's phase.
  ///
  /// @param tornDown nothing will be started any more
  public static PodPhase phase(
      Pod pod, List<ContainerView> initial, List<ContainerView> regular, boolean tornDown) {
    return PodPhase.of(pod.restartPolicy(), initial, regular, tornDown);
  }

  /// Whether the init containers have done their work.
  public static boolean initialized(List<ContainerView> regular) {
    return PodPhase.initialized(regular);
  }

  /// Whether the container after this init container may start.
  public static boolean passed(ContainerView initial) {
    return PodPhase.passed(initial);
  }

  /// The whole status.
  ///
  /// @param phase to report: a pod whose containers may still run is not reported as over
  /// @param before the status reported last, or the API's
  public ObjectNode of(
      Pod pod,
      PodPhase phase,
      Optional<SandboxInfo> sandbox,
      List<ContainerView> initial,
      List<ContainerView> regular,
      List<ContainerView> ephemeral,
      JsonNode before,
      Instant now) {
    boolean over = phase.terminal();
    ObjectNode status = Json.object().put("phase", phase.word());
    long generation = pod.generation();
    if (generation > 0) {
      status.put("observedGeneration", generation);
    }
    status.set(
        "conditions",
        PodConditions.of(
            pod, phase, sandbox.isPresent(), initial, regular, before.path("conditions"), now));
    addresses(status, pod, sandbox, before);
    status.put(
        "startTime",
        Json.textOr(before, now.truncatedTo(ChronoUnit.SECONDS).toString(), "startTime"));
    status.put("qosClass", Json.textOr(before, Qos.of(pod), "qosClass"));
    String standard = initial.isEmpty() ? "ContainerCreating" : "PodInitializing";
    // What was never reached waits for ever; it has not ended.
    boolean reached = true;
    if (!initial.isEmpty()) {
      ArrayNode list = status.putArray("initContainerStatuses");
      JsonNode old = before.path("initContainerStatuses");
      for (ContainerView one : initial) {
        list.add(ContainerStatuses.of(one, standard, shown, over && reached, named(old, one)));
        reached &= PodPhase.passed(one) || (one.spec().sidecar() && one.latest().isPresent());
      }
    }
    boolean ended = over && (reached || PodPhase.initialized(regular));
    list(status, "containerStatuses", regular, standard, ended, before);
    if (!ephemeral.isEmpty()) {
      list(status, "ephemeralContainerStatuses", ephemeral, "ContainerCreating", over, before);
    }
    return status;
  }

  private void list(
      ObjectNode status,
      String name,
      List<ContainerView> containers,
      String standard,
      boolean over,
      JsonNode before) {
    ArrayNode list = status.putArray(name);
    JsonNode old = before.path(name);
    containers.forEach(
        one -> list.add(ContainerStatuses.of(one, standard, shown, over, named(old, one))));
  }

  /// The status of one container in a list of them.
  private static JsonNode named(JsonNode statuses, ContainerView container) {
    for (JsonNode status : statuses) {
      if (Json.textOr(status, "", "name").equals(container.spec().name())) {
        return status;
      }
    }
    return Json.object();
  }

  private void addresses(
      ObjectNode status, Pod pod, Optional<SandboxInfo> sandbox, JsonNode before) {
    if (!nodeAddresses.isEmpty()) {
      status.put("hostIP", nodeAddresses.getFirst());
      ArrayNode hosts = status.putArray("hostIPs");
      nodeAddresses.forEach(address -> hosts.addObject().put("ip", address));
    }
    List<String> own =
        pod.hostNetwork() && sandbox.isPresent()
            ? nodeAddresses
            : sandbox.map(SandboxInfo::addresses).orElse(List.of());
    if (own.isEmpty()) {
      // A pod on its way out keeps its address, so that connections can be drained.
      if (before.has("podIP")) {
        status.put("podIP", Json.textOr(before, "", "podIP"));
        status.set("podIPs", before.path("podIPs").deepCopy());
      }
      return;
    }
    status.put("podIP", own.getFirst());
    ArrayNode list = status.putArray("podIPs");
    own.forEach(address -> list.addObject().put("ip", address));
  }
}
