package io.fairlead.agent.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What a new container is to be like.
///
/// @param environment in the order of declaration
/// @param hosts the file that is its `/etc/hosts`
/// @param log the file its output goes to
/// @param terminal what its first program reads from
/// @param target the identity of the container whose processes it sees; empty for those of its pod
public record ContainerConfig(
    String name,
    int attempt,
    String image,
    String hash,
    List<String> command,
    List<String> arguments,
    List<Map.Entry<String, String>> environment,
    String workingDirectory,
    List<Mount> mounts,
    Path hosts,
    Path log,
    LinuxContainerResources resources,
    LinuxContainerSecurityContext security,
    Terminal terminal,
    String target) {
  public ContainerConfig {
    command = List.copyOf(command);
    arguments = List.copyOf(arguments);
    environment = List.copyOf(environment);
    mounts = List.copyOf(mounts);
  }

  /// One that sees the processes of its pod.
  public ContainerConfig(
      String name,
      int attempt,
      String image,
      String hash,
      List<String> command,
      List<String> arguments,
      List<Map.Entry<String, String>> environment,
      String workingDirectory,
      List<Mount> mounts,
      Path hosts,
      Path log,
      LinuxContainerResources resources,
      LinuxContainerSecurityContext security,
      Terminal terminal) {
    this(
        name,
        attempt,
        image,
        hash,
        command,
        arguments,
        environment,
        workingDirectory,
        mounts,
        hosts,
        log,
        resources,
        security,
        terminal,
        "");
  }

  /// One without limits and without a user of its own.
  public ContainerConfig(
      String name,
      int attempt,
      String image,
      String hash,
      List<String> command,
      List<String> arguments,
      List<Map.Entry<String, String>> environment,
      String workingDirectory,
      List<Mount> mounts,
      Path hosts,
      Path log) {
    this(
        name,
        attempt,
        image,
        hash,
        command,
        arguments,
        environment,
        workingDirectory,
        mounts,
        hosts,
        log,
        LinuxContainerResources.NONE,
        LinuxContainerSecurityContext.NONE,
        Terminal.NONE,
        "");
  }

  /// The same, which sees the processes of another container.
  ///
  /// @param container its identity
  public ContainerConfig targeting(String container) {
    return new ContainerConfig(
        name,
        attempt,
        image,
        hash,
        command,
        arguments,
        environment,
        workingDirectory,
        mounts,
        hosts,
        log,
        resources,
        security,
        terminal,
        container);
  }

  /// What a container's first program reads from, for those who attach to it.
  ///
  /// @param input it can be typed to
  /// @param once its input ends with the first who was attached
  /// @param screen it has a terminal
  public record Terminal(boolean input, boolean once, boolean screen) {
    /// Nothing to read.
    public static final Terminal NONE = new Terminal(false, false, false);
  }

  /// A file or directory of the node inside the container.
  public record Mount(Path source, String target, boolean readOnly) {}
}
