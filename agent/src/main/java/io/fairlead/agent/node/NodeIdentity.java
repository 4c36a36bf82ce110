package io.fairlead.agent.node;

import io.fairlead.api.net.Cidr;
import java.util.List;
import java.util.Map;

/// What a node is.
///
/// @param addresses the first is the one others use
/// @param podRanges the ranges of its pods' addresses; none to wait for a controller to give them
/// @param runtime `fairlead-builtin://1`
/// @param port where the node's own server listens; 0 for none
/// @param fingerprint of that server's certificate, SHA-256 in hexadecimal; empty for none
public record NodeIdentity(
    String name,
    List<String> addresses,
    List<Cidr> podRanges,
    Map<String, String> labels,
    String runtime,
    String version,
    int pods,
    int port,
    String fingerprint) {
  public NodeIdentity {
    addresses = List.copyOf(addresses);
    podRanges = List.copyOf(podRanges);
    labels = Map.copyOf(labels);
  }

  /// The same with another runtime.
  public NodeIdentity with(String other) {
    return new NodeIdentity(
        name, addresses, podRanges, labels, other, version, pods, port, fingerprint);
  }
}
