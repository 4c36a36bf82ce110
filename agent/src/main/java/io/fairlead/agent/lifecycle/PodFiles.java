package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.RegistryCredentials;
import io.fairlead.agent.runtime.SandboxConfig;
import java.util.List;
import java.util.Optional;

/// Makes what a pod's containers find around them: environment, names, files.
///
/// What cannot be made is a `RuntimeFailure` with the reason a container then waits for.
public interface PodFiles {
  /// Directories and volumes.
  void prepare(Pod pod);

  SandboxConfig sandbox(Pod pod, int attempt);

  ContainerConfig container(Pod pod, Container container, int attempt, List<String> addresses);

  /// What a container may use.
  default LinuxContainerResources resources(Pod pod, Container container) {
    return LinuxContainerResources.NONE;
  }

  /// What all containers of a pod may use together.
  default LinuxContainerResources resources(Pod pod) {
    return LinuxContainerResources.NONE;
  }

  /// Who a pod is to the registry of an image; empty for anonymous.
  default Optional<RegistryCredentials> credentials(Pod pod, String image) {
    return Optional.empty();
  }

  /// What a run that has ended said about its end; empty for nothing.
  default String endMessage(Pod pod, Container container, ContainerInfo run) {
    return "";
  }

  /// Takes everything away. What is not there is fine.
  void remove(Pod pod);
}
