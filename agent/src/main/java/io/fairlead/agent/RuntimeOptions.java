package io.fairlead.agent;

import java.nio.file.Path;
import java.util.Optional;

/// What runs a node's containers.
///
/// @param kind which runtimes there are
/// @param socket of an engine that runs already; empty for a containerd of the agent's own
public record RuntimeOptions(Kind kind, Optional<Path> socket) {
  /// Where containerd listens when nobody told it otherwise.
  public static final Path SOCKET = Path.of("/run/containerd/containerd.sock");

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
