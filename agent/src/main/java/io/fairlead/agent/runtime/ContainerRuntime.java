package io.fairlead.agent.runtime;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// What runs containers. Safe for many threads.
///
/// Failures are [RuntimeFailure]s. Stopping and removing what is not there, or no longer there, is
/// fine. No call takes long except making a sandbox, pulling and exec.
public interface ContainerRuntime extends AutoCloseable {
  /// `containerd://1.6.20`, as the node shows it.
  String version();

  /// A container's identity with the runtime's name in front, as statuses show it:
  /// `containerd://0f3a`.
  String shown(String container);

  /// Why pods cannot get a network; empty when they can.
  Optional<String> networkProblem();

  /// Whether an image is at hand.
  ///
  /// @return its identity, such as a digest
  Optional<String> image(String reference);

  /// Fetches an image.
  void pull(String reference);

  /// Fetches an image with credentials for the registry.
  ///
  /// @param who empty for anonymous
  default void pull(String reference, Optional<RegistryCredentials> who) {
    pull(reference);
  }

  SandboxInfo runSandbox(SandboxConfig config);

  /// Ends everything in it and frees its network.
  void stopSandbox(String id);

  void removeSandbox(String id);

  List<SandboxInfo> sandboxes();

  /// Makes a container that does not run yet.
  ///
  /// @return its identity
  String create(String sandbox, ContainerConfig config);

  void start(String id);

  /// Asks a container to end and ends it by force when the grace is over. Returns at once. Asked
  /// again, the earlier end counts.
  void stop(String id, Duration grace);

  void remove(String id);

  List<ContainerInfo> containers();

  /// What running containers have used, by identity; those of which nothing is known are left out.
  default Map<String, ContainerUsage> usage() {
    return Map.of();
  }

  /// Changes what running containers of a pod may use. A runtime that bounds nothing ignores it.
  ///
  /// @param whole what all containers of the pod may use together
  /// @param containers what each of those that change may use, by identity
  default void resize(
      String podUid,
      LinuxContainerResources whole,
      Map<String, LinuxContainerResources> containers) {}

  /// Makes the writer of a running container's log begin a new file, since the old one was put
  /// aside. Does nothing when it no longer runs.
  void reopenLog(String id);

  /// Runs a program inside a running container to its end.
  ExecResult exec(String id, List<String> command, Duration timeout);

  /// Runs a program inside a running container and hands out its streams.
  ///
  /// @param input whether anybody will give it input; it reads an end otherwise
  /// @param terminal whether it gets a terminal
  default AttachedProcess open(String id, List<String> command, boolean input, boolean terminal) {
    throw new RuntimeFailure("RunContainerError", "this runtime has no streams");
  }

  /// Hands out the streams of a container's own first program. Closing them does not end it.
  ///
  /// @param input whether anybody will type
  /// @param terminal whether it was made with a terminal
  /// @return empty for one that reads nothing and whose output is in its log only
  default Optional<AttachedProcess> attach(String id, boolean input, boolean terminal) {
    return Optional.empty();
  }

  /// Connects to a port of a sandbox as a program inside it would, by its loopback address.
  ///
  /// @throws IOException when no program listens there
  default Socket dial(String sandbox, int port) throws IOException {
    throw new RuntimeFailure("RunContainerError", "this runtime has no way into sandboxes");
  }

  /// Where the network namespace of a sandbox is mounted; empty where it has the node's own.
  ///
  /// @throws IOException when that cannot be told
  default Optional<Path> networkNamespace(String sandbox) throws IOException {
    throw new IOException("this runtime does not say where the network of " + sandbox + " is");
  }

  /// Sets the listener that gets the uid of a pod whenever something about it changes by itself.
  void onChange(Consumer<String> listener);

  @Override
  void close();
}
