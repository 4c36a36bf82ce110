package io.fairlead.agent.status;

import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.SandboxInfo;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What the runtime has of one pod at one moment. Both lists have the newest first.
public record PodView(List<SandboxInfo> sandboxes, List<ContainerInfo> containers) {
  public PodView {
    sandboxes =
        sandboxes.stream()
            .sorted(Comparator.comparingInt(SandboxInfo::attempt).reversed())
            .toList();
    containers =
        containers.stream()
            .sorted(Comparator.comparingInt(ContainerInfo::attempt).reversed())
            .toList();
  }

  /// The last run of a container.
  public Optional<ContainerInfo> latest(String name) {
    return containers.stream().filter(container -> container.name().equals(name)).findFirst();
  }

  /// The run before the last one.
  public Optional<ContainerInfo> previous(String name) {
    return containers.stream()
        .filter(container -> container.name().equals(name))
        .skip(1)
        .findFirst();
  }

  /// The sandbox in use.
  public Optional<SandboxInfo> sandbox() {
    return sandboxes.stream().findFirst().filter(SandboxInfo::ready);
  }

  /// The last run of a container, when it belongs to the sandbox in use.
  public Optional<ContainerInfo> current(String name) {
    return latest(name)
        .filter(
            container ->
                sandbox().map(sandbox -> sandbox.id().equals(container.sandbox())).orElse(false));
  }

  /// The identities of the runs that go on.
  public Set<String> running() {
    return containers.stream()
        .filter(ContainerInfo::running)
        .map(ContainerInfo::id)
        .collect(Collectors.toSet());
  }

  public boolean anyRunning() {
    return containers.stream().anyMatch(ContainerInfo::running);
  }
}
