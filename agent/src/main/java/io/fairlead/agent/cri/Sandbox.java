package io.fairlead.agent.cri;

import io.fairlead.agent.runtime.SandboxInfo;
import java.nio.file.Path;

/// A sandbox with what its containers must be told about it again.
///
/// @param network the mode of its network namespace, as CRI numbers them
/// @param processes the mode of its process namespace
/// @param ipc the mode of its namespace for shared memory
record Sandbox(SandboxInfo info, long network, long processes, long ipc, Path logs, String cgroup) {
  /// Shared by all containers of the pod.
  static final long POD = 0;

  /// Each container has its own.
  static final long CONTAINER = 1;

  /// The machine's.
  static final long NODE = 2;
}
