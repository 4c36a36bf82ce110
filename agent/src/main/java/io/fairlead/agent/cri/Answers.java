package io.fairlead.agent.cri;

import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerState;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.runtime.Usage;
import io.fairlead.client.ObjectKey;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What an engine says, read from messages of CRI v1. Pure.
final class Answers {
  private static final long SANDBOX_READY = 0;
  private static final long CREATED = 0;
  private static final long RUNNING = 1;
  private static final long EXITED = 2;
  private static final int LOST = 137;
  private static final long DEFAULT_GRACE = 30;

  private Answers() {}

  /// `PodSandboxStatus`.
  static Sandbox sandbox(Message status) {
    Message metadata = status.message(2);
    Message modes = status.message(6).message(1).message(2); // linux.namespaces.options
    Map<String, String> annotations = status.map(8);
    boolean ready = ready(status.number(3));
    SandboxInfo info =
        new SandboxInfo(
            status.text(1),
            metadata.text(2),
            new ObjectKey(metadata.text(3), metadata.text(1)),
            (int) metadata.number(4),
            ready,
            modes.number(1) == Sandbox.NODE,
            ready ? addresses(status.message(5)) : List.of(),
            moment(status.number(4)),
            grace(annotations));
    return new Sandbox(
        info,
        modes.number(1),
        modes.number(2),
        modes.number(3),
        Path.of(annotations.getOrDefault(Requests.LOGS, "")),
        annotations.getOrDefault(Requests.CGROUP, ""));
  }

  static boolean ready(long state) {
    return state == SANDBOX_READY;
  }

  private static List<String> addresses(Message network) {
    List<String> addresses = new ArrayList<>();
    if (!network.text(1).isEmpty()) {
      addresses.add(network.text(1));
    }
    network.messages(2).forEach(more -> addresses.add(more.text(1)));
    return addresses;
  }

  private static long grace(Map<String, String> annotations) {
    try {
      return Long.parseLong(annotations.getOrDefault(Requests.GRACE, ""));
    } catch (NumberFormatException _) {
      return DEFAULT_GRACE;
    }
  }

  /// `ContainerStatus`.
  ///
  /// @param sandbox of the container, which its status does not tell
  static ContainerInfo container(Message status, String sandbox) {
    Map<String, String> labels = status.map(12);
    Message metadata = status.message(2);
    ContainerState state = state(status.number(3));
    boolean known = status.number(3) <= EXITED;
    boolean exited = state == ContainerState.EXITED;
    int code = (int) status.number(7);
    return new ContainerInfo(
        status.text(1),
        labels.getOrDefault(Requests.POD_UID, ""),
        sandbox,
        metadata.text(1),
        (int) metadata.number(2),
        state,
        known ? code : LOST,
        exited ? reason(status.text(10), code, known) : "",
        exited ? status.text(11) : "",
        moment(status.number(5)),
        moment(status.number(6)),
        status.message(8).text(1),
        status.text(9),
        status.map(13).getOrDefault(Requests.HASH, ""));
  }

  private static String reason(String told, int code, boolean known) {
    if (!known) {
      return "ContainerStatusUnknown";
    }
    return told.isEmpty() ? code == 0 ? "Completed" : "Error" : told;
  }

  /// An engine that lost sight of a container says "unknown"; it does not come back.
  static ContainerState state(long number) {
    if (number == CREATED) {
      return ContainerState.CREATED;
    }
    return number == RUNNING ? ContainerState.RUNNING : ContainerState.EXITED;
  }

  private static Instant moment(long nanoseconds) {
    return nanoseconds <= 0 ? Instant.EPOCH : Instant.EPOCH.plusNanos(nanoseconds);
  }

  /// The identity of an image in `ImageStatusResponse`; empty when it is not there.
  static Optional<String> image(Message response) {
    if (!response.has(1)) {
      return Optional.empty();
    }
    Message image = response.message(1);
    return image.texts(3).stream().findFirst().or(() -> Optional.of(image.text(1)));
  }

  /// What containers have used, by `ListContainerStatsResponse`; those of which the engine says
  /// nothing are left out.
  static Map<String, Usage> usage(Message response) {
    Map<String, Usage> used = new HashMap<>();
    for (Message stats : response.messages(1)) {
      Message cpu = stats.message(2);
      Message memory = stats.message(3);
      if (cpu.has(2)) {
        used.put(
            stats.message(1).text(1),
            new Usage(
                Duration.ofNanos(cpu.message(2).number(1)), // usage_core_nano_seconds
                memory.message(2).number(1))); // working_set_bytes
      }
    }
    return used;
  }

  /// Why pods get no network, by `StatusResponse`; empty when they do.
  static Optional<String> problem(Message response) {
    for (Message condition : response.message(1).messages(1)) {
      String type = condition.text(1);
      if (!condition.flag(2) && (type.equals("RuntimeReady") || type.equals("NetworkReady"))) {
        return Optional.of(
            "container runtime"
                + (type.equals("NetworkReady") ? " network" : "")
                + " not ready: "
                + type
                + "=false reason:"
                + condition.text(3)
                + " message:"
                + condition.text(4));
      }
    }
    return Optional.empty();
  }
}
