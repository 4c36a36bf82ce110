package io.fairlead.policy.core;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// One version of a policy. A changed policy is another entry.
final class PolicyEntry {
  final NetworkPolicy policy;

  /// How many local pods it applies to. Its peers are relevant while it applies to one.
  int localPods;

  /// The peers of its rules while it applies to a local pod, once for each time they are named.
  final List<PeerEntry> peers = new ArrayList<>();

  PolicyEntry(NetworkPolicy policy) {
    this.policy = policy;
  }

  boolean appliesTo(PodEntry pod) {
    return policy.podSelector().isPresent() && policy.podSelector().get().matches(pod.pod.labels());
  }

  /// The names its rules of a direction use.
  TreeSet<PortName> names(Direction direction) {
    TreeSet<PortName> names = new TreeSet<>();
    for (NetworkPolicyRule rule : policy.rules(direction)) {
      for (PolicyPort port : rule.ports()) {
        if (port instanceof PolicyPort.Named(PortName name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /// How many times its rules name all pods.
  int namesAllPods() {
    int count = 0;
    for (Direction direction : Direction.values()) {
      for (NetworkPolicyRule rule : policy.rules(direction)) {
        for (PolicyPeer peer : rule.peers()) {
          if (peer instanceof PolicyPeer.AllPods) {
            count++;
          }
        }
      }
    }
    return count;
  }
}
