package io.fairlead.agent.cri;

import io.fairlead.agent.cri.CriProto.ContainerStats;
import io.fairlead.agent.cri.CriProto.ContainerStatus;
import io.fairlead.agent.cri.CriProto.Image;
import io.fairlead.agent.cri.CriProto.ImageStatusResponse;
import io.fairlead.agent.cri.CriProto.ListContainerStatsResponse;
import io.fairlead.agent.cri.CriProto.NamespaceMode;
import io.fairlead.agent.cri.CriProto.NamespaceOption;
import io.fairlead.agent.cri.CriProto.PodSandboxMetadata;
import io.fairlead.agent.cri.CriProto.PodSandboxNetworkStatus;
import io.fairlead.agent.cri.CriProto.PodSandboxState;
import io.fairlead.agent.cri.CriProto.PodSandboxStatus;
import io.fairlead.agent.cri.CriProto.RuntimeCondition;
import io.fairlead.agent.cri.CriProto.StatusResponse;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerState;
import io.fairlead.agent.runtime.ContainerUsage;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.client.ObjectKey;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads what an engine answers by CRI v1 into the values of the agent. Pure.
final class CriResponses {
  private static final int LOST = 137;
  private static final long DEFAULT_GRACE = 30;

  private CriResponses() {}

  static Sandbox sandbox(PodSandboxStatus status) {
    PodSandboxMetadata metadata = status.getMetadata();
    NamespaceOption modes = status.getLinux().getNamespaces().getOptions();
    Map<String, String> annotations = status.getAnnotationsMap();
    boolean ready = status.getState() == PodSandboxState.SANDBOX_READY;
    SandboxInfo info =
        new SandboxInfo(
            status.getId(),
            metadata.getUid(),
            new ObjectKey(metadata.getNamespace(), metadata.getName()),
            metadata.getAttempt(),
            ready,
            modes.getNetwork() == NamespaceMode.NODE,
            ready ? addresses(status.getNetwork()) : List.of(),
            moment(status.getCreatedAt()),
            grace(annotations));
    return new Sandbox(
        info,
        modes.getNetworkValue(),
        modes.getPidValue(),
        modes.getIpcValue(),
        path(annotations.getOrDefault(CriRequests.LOGS, "")),
        annotations.getOrDefault(CriRequests.CGROUP, ""),
        annotations.getOrDefault(CriRequests.HOSTNAME, ""));
  }

  private static List<String> addresses(PodSandboxNetworkStatus network) {
    List<String> addresses = new ArrayList<>();
    if (!network.getIp().isEmpty()) {
      addresses.add(network.getIp());
    }
    network.getAdditionalIpsList().forEach(more -> addresses.add(more.getIp()));
    return addresses;
  }

  /// Empty when an engine has damaged it.
  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException _) {
      return Path.of("");
    }
  }

  private static long grace(Map<String, String> annotations) {
    try {
      return Long.parseLong(annotations.getOrDefault(CriRequests.GRACE, ""));
    } catch (NumberFormatException _) {
      return DEFAULT_GRACE;
    }
  }

  /// @param sandbox of the container, which its status does not say
  static ContainerInfo container(ContainerStatus status, String sandbox) {
    Map<String, String> labels = status.getLabelsMap();
    ContainerState state = state(status.getState());
    boolean exited = state == ContainerState.EXITED;
    boolean known = !exited || status.getState() == CriProto.ContainerState.CONTAINER_EXITED;
    int code = status.getExitCode();
    return new ContainerInfo(
        status.getId(),
        labels.getOrDefault(CriRequests.POD_UID, ""),
        sandbox,
        status.getMetadata().getName(),
        status.getMetadata().getAttempt(),
        state,
        known ? code : LOST,
        exited ? reason(status.getReason(), code, known) : "",
        exited ? status.getMessage() : "",
        moment(status.getStartedAt()),
        moment(status.getFinishedAt()),
        status.getImage().getImage(),
        status.getImageRef(),
        status.getAnnotationsMap().getOrDefault(CriRequests.HASH, ""));
  }

  private static String reason(String given, int code, boolean known) {
    if (!known) {
      return "ContainerStatusUnknown";
    }
    return given.isEmpty() ? code == 0 ? "Completed" : "Error" : given;
  }

  /// An engine that has lost track of a container says "unknown"; it does not come back. A state
  /// that CRI v1 does not have is taken for the same.
  static ContainerState state(CriProto.ContainerState state) {
    return switch (state) {
      case CONTAINER_CREATED -> ContainerState.CREATED;
      case CONTAINER_RUNNING -> ContainerState.RUNNING;
      case CONTAINER_EXITED, CONTAINER_UNKNOWN, UNRECOGNIZED -> ContainerState.EXITED;
    };
  }

  private static Instant moment(long nanoseconds) {
    return nanoseconds <= 0 ? Instant.EPOCH : Instant.EPOCH.plusNanos(nanoseconds);
  }

  /// The identity of an image; empty when the engine does not have it.
  static Optional<String> image(ImageStatusResponse response) {
    if (!response.hasImage()) {
      return Optional.empty();
    }
    Image image = response.getImage();
    return image.getRepoDigestsList().stream().findFirst().or(() -> Optional.of(image.getId()));
  }

  /// What containers have used; those of which the engine says nothing are left out.
  static Map<String, ContainerUsage> usage(ListContainerStatsResponse response) {
    Map<String, ContainerUsage> used = new HashMap<>();
    for (ContainerStats stats : response.getStatsList()) {
      if (stats.getCpu().hasUsageCoreNanoSeconds()) {
        used.put(
            stats.getAttributes().getId(),
            new ContainerUsage(
                Duration.ofNanos(stats.getCpu().getUsageCoreNanoSeconds().getValue()),
                stats.getMemory().getWorkingSetBytes().getValue()));
      }
    }
    return used;
  }

  /// Why pods get no network; empty when they do.
  static Optional<String> problem(StatusResponse response) {
    for (RuntimeCondition condition : response.getStatus().getConditionsList()) {
      String type = condition.getType();
      if (!condition.getStatus() && (type.equals("RuntimeReady") || type.equals("NetworkReady"))) {
        return Optional.of(
            "container runtime"
                + (type.equals("NetworkReady") ? " network" : "")
                + " not ready: "
                + type
                + "=false reason:"
                + condition.getReason()
                + " message:"
                + condition.getMessage());
      }
    }
    return Optional.empty();
  }
}
