package io.fairlead.agent;

import java.nio.file.Path;
import java.util.Optional;

/// What runs a node's containers.
///
/// @param kind which runtimes there are
/// @param socket of an engine that runs already; empty for a containerd of the agent's own
/// @param cgroupRoot the control group below which those of the pods lie; `/` for the machine's
public record RuntimeOptions(Kind kind, Optional<Path> socket, String cgroupRoot) {
  /// Where containerd listens by default.
  public static final Path SOCKET = Path.of("/run/containerd/containerd.sock");

  /// One whose pods have their control groups at the top.
  public RuntimeOptions(Kind kind, Optional<Path> socket) {
    this(kind, socket, "/");
  }

  /// Which runtimes there are.
  public enum Kind {
    /// Only the built-in one.
    BUILTIN,
    /// Only an engine.
    CRI,
    /// Both, chosen for each pod; without an engine only the built-in one.
    AUTO
  }

  /// No engine.
  public static final RuntimeOptions NO_ENGINE =
      new RuntimeOptions(Kind.BUILTIN, Optional.of(SOCKET));
}
