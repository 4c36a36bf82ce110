package io.fairlead.agent.runtime;

import io.fairlead.client.ObjectKey;
import java.time.Instant;
import java.util.List;

/// The frame a pod's containers run in: their network, their host name.
///
/// @param attempt how many the pod had before
/// @param ready it and its network are there
/// @param addresses none with the node's network
/// @param graceSeconds what the pod's containers get to end by themselves, for an agent that never
///   saw the pod
public record SandboxInfo(
    String id,
    String podUid,
    ObjectKey pod,
    int attempt,
    boolean ready,
    boolean hostNetwork,
    List<String> addresses,
    Instant createdAt,
    long graceSeconds) {
  public SandboxInfo {
    addresses = List.copyOf(addresses);
  }
}
