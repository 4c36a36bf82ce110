package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.List;
import java.util.Optional;

/// Which policies decide about one connection, end by end, with the rules as evidence. A pure
/// answer of [Oracle#explain]: no packet is sent.
///
/// @param protocol the number in the IP header
/// @param port of the destination pod, after translation of a Service
/// @param basis why policies are asked, or why not
/// @param ends the source's egress, then the destination's ingress; none when policies are not
///   asked
public record ConnectionExplanation(
    IpAddress source, IpAddress destination, int protocol, int port, Basis basis, List<End> ends) {
  /// Why policies are asked, or why not.
  public enum Basis {
    POLICIES,
    /// Both ends are one pod, which always reaches itself.
    SAME_POD,
    /// One end is the node of the other, which always reaches its pods and is reached by them.
    OWN_NODE
  }

  /// What one end says.
  ///
  /// @param pod who has the address; empty for an address that is no pod's, which allows everything
  /// @param isolatedBy the policies that select the pod for the direction; none when it is open
  /// @param allowedBy every rule that lets the connection pass
  /// @param nearest of a denied connection, the rule that comes nearest
  /// @param samePeer whether the nearest rule's peer matches; otherwise its port does
  public record End(
      Direction direction,
      IpAddress address,
      Optional<PolicyPod> pod,
      List<ObjectKey> isolatedBy,
      List<Decision.RuleReference> allowedBy,
      Optional<Decision.RuleReference> nearest,
      boolean samePeer) {
    public End {
      isolatedBy = List.copyOf(isolatedBy);
      allowedBy = List.copyOf(allowedBy);
    }

    public boolean isIsolated() {
      return !isolatedBy.isEmpty();
    }

    public boolean allows() {
      return !isIsolated() || !allowedBy.isEmpty();
    }
  }

  public ConnectionExplanation {
    ends = List.copyOf(ends);
  }

  public boolean isAllowed() {
    return ends.stream().allMatch(End::allows);
  }

  /// The end that denies it; the source's before the destination's.
  public Optional<End> denying() {
    return ends.stream().filter(end -> !end.allows()).findFirst();
  }
}
