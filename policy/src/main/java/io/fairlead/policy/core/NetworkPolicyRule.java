package io.fairlead.policy.core;

import java.util.List;

/// One rule: allows what matches one of the peers on one of the ports. Entries have the places they
/// have in the object, invalid ones too; an empty list has become the one entry that says what it
/// means.
public record NetworkPolicyRule(List<PolicyPeer> peers, List<PolicyPort> ports) {
  public NetworkPolicyRule {
    peers = List.copyOf(peers);
    ports = List.copyOf(ports);
  }
}
