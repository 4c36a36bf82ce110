package io.fairlead.agent.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What a container engine has to know of a pod beside its network and names.
///
/// @param logs the directory of its containers' logs
/// @param images of all its containers
/// @param runtime the runtime it wants to run in, `cri` or `builtin`; empty for any
/// @param quality `Guaranteed`, `Burstable` or `BestEffort`
/// @param resources of all its containers together
/// @param sysctls kernel settings of its own namespaces
public record PodTraits(
    Path logs,
    List<String> images,
    String runtime,
    String quality,
    LinuxContainerResources resources,
    boolean hostProcesses,
    boolean hostIpc,
    boolean sharedProcesses,
    boolean privileged,
    Map<String, String> sysctls) {
  /// Of a pod nothing is asked for.
  public static final PodTraits NONE =
      new PodTraits(
          Path.of("logs"),
          List.of(),
          "",
          "BestEffort",
          LinuxContainerResources.NONE,
          false,
          false,
          false,
          false,
          Map.of());

  public PodTraits {
    images = List.copyOf(images);
    sysctls = Map.copyOf(sysctls);
  }
}
