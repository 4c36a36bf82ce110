package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.List;
import java.util.Optional;

/// What policies say about one connection.
public sealed interface Decision {
  /// A place in a policy.
  ///
  /// @param rule place of the rule in `ingress` or `egress`; so `peer` in it and `port`
  record RuleReference(NetworkPolicy policy, Direction direction, int rule, int peer, int port) {
    public PolicyPeer peerEntry() {
      return entry().peers().get(peer);
    }

    public List<PolicyPort> portEntries() {
      return entry().ports();
    }

    private NetworkPolicyRule entry() {
      return policy.rules(direction).get(rule);
    }

    /// `x/web ingress[0].from[1].ports[0]`.
    @Override
    public String toString() {
      String peers = direction == Direction.INGRESS ? "from" : "to";
      return "%s %s[%d].%s[%d].ports[%d]"
          .formatted(policy.key(), direction, rule, peers, peer, port);
    }
  }

  /// It passes.
  ///
  /// @param by the rules that let it out and in; none where the pod is not isolated
  record Allowed(List<RuleReference> by) implements Decision {
    public Allowed {
      by = List.copyOf(by);
    }
  }

  /// A pod is isolated and no rule lets the connection pass.
  ///
  /// @param pod where it is dropped
  /// @param isolatedBy the policies that isolate the pod in that direction
  /// @param nearest the rule that comes nearest; its peer matches when `samePeer`, else its port
  record Denied(
      Direction direction,
      PolicyPod pod,
      List<ObjectKey> isolatedBy,
      Optional<RuleReference> nearest,
      boolean samePeer)
      implements Decision {
    public Denied {
      isolatedBy = List.copyOf(isolatedBy);
    }
  }

  /// An address of the node's pod range belongs to no pod that is known.
  record Unknown(IpAddress address) implements Decision {}

  default boolean isAllowed() {
    return this instanceof Allowed;
  }
}
