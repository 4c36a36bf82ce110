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
/// @param shown makes of a container's identity the one that is told: `containerd://0f3a`
/// @param nodeAddresses of the node, the first is `hostIP`
public record PodStatus(UnaryOperator<String> shown, List<String> nodeAddresses) {
  public PodStatus {
    nodeAddresses = List.copyOf(nodeAddresses);
  }

  /// @param scheme in front of every identity
  public PodStatus(String scheme, List<String> nodeAddresses) {
    this(container -> scheme + container, nodeAddresses);
  }

  /// What the containers alone make of the pod's phase.
  ///
  /// @param tornDown nothing will be started any more
  public static Phase phase(
      Pod pod, List<ContainerView> initial, List<ContainerView> regular, boolean tornDown) {
    return Phase.of(pod.restartPolicy(), initial, regular, tornDown);
  }

  /// Whether the init containers have done their work.
  public static boolean initialized(List<ContainerView> regular) {
    return Phase.initialized(regular);
  }

  /// Whether the container after this init container may start.
  public static boolean passed(ContainerView initial) {
    return Phase.passed(initial);
  }

  /// The whole status.
  ///
  /// @param phase as it is to be told: a pod whose containers may still run is not told to be over
  /// @param before the status told last, or the API's
  public ObjectNode of(
      Pod pod,
      Phase phase,
      Optional<SandboxInfo> sandbox,
      List<ContainerView> initial,
      List<ContainerView> regular,
      JsonNode before,
      Instant now) {
    boolean over = phase.terminal();
    ObjectNode status = Json.object().put("phase", phase.word());
    status.set(
        "conditions",
        Conditions.of(
            pod, phase, sandbox.isPresent(), initial, regular, before.path("conditions"), now));
    addresses(status, pod, sandbox, before);
    status.put(
        "startTime",
        Json.textOr(before, now.truncatedTo(ChronoUnit.SECONDS).toString(), "startTime"));
    status.put("qosClass", Json.textOr(before, Qos.of(pod), "qosClass"));
    String standard = initial.isEmpty() ? "ContainerCreating" : "PodInitializing";
    if (!initial.isEmpty()) {
      ArrayNode list = status.putArray("initContainerStatuses");
      initial.forEach(one -> list.add(ContainerStatuses.of(one, standard, shown, over)));
    }
    ArrayNode list = status.putArray("containerStatuses");
    regular.forEach(one -> list.add(ContainerStatuses.of(one, standard, shown, over)));
    return status;
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
