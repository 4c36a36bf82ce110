package io.fairlead.agent.runtime;

import io.fairlead.client.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

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

  /// The same with addresses of the family first that the node's own begin with. Engines tell IPv4
  /// first, whatever the node is.
  public SandboxInfo inOrderOf(List<String> nodeAddresses) {
    if (addresses.size() < 2 || nodeAddresses.isEmpty()) {
      return this;
    }
    boolean sixFirst = isSix(nodeAddresses.getFirst());
    List<String> ordered =
        Stream.concat(
                addresses.stream().filter(one -> isSix(one) == sixFirst),
                addresses.stream().filter(one -> isSix(one) != sixFirst))
            .toList();
    return new SandboxInfo(
        id, podUid, pod, attempt, ready, hostNetwork, ordered, createdAt, graceSeconds);
  }

  /// The same when it and its network are gone.
  public SandboxInfo stopped() {
    return new SandboxInfo(
        id, podUid, pod, attempt, false, hostNetwork, List.of(), createdAt, graceSeconds);
  }

  private static boolean isSix(String address) {
    return address.indexOf(':') >= 0;
  }
}
