package io.fairlead.agent.cri;

import io.fairlead.agent.runtime.SandboxInfo;
import java.nio.file.Path;

/// A sandbox with what the requests for its containers repeat of it.
///
/// @param network the mode of its network namespace, a number of [CriProto.NamespaceMode]
/// @param processes the mode of its process namespace
/// @param ipc the mode of its namespace for shared memory
/// @param hostname what its programs take for the machine's name; empty for the node's own
record Sandbox(
    SandboxInfo info,
    int network,
    int processes,
    int ipc,
    Path logs,
    String cgroup,
    String hostname) {}
