package io.fairlead.proxy.core;

import java.util.List;

/// What a node does with a new connection to a front.
public sealed interface TrafficVerdict {

  /// Send it to one of these, chosen at random.
  record Forward(List<Backend> to, Masquerade masquerade) implements TrafficVerdict {
    public Forward {
      to = List.copyOf(to);
      if (to.isEmpty()) {
        throw new IllegalArgumentException("nothing to forward to");
      }
    }
  }

  /// Answer with ICMP port unreachable: a TCP client sees "connection refused" at once.
  record Reject(Reason why) implements TrafficVerdict {}

  /// Let it vanish, so that a load balancer turns to a node that can serve it.
  record Drop(Reason why) implements TrafficVerdict {}

  /// Why a front does not forward.
  enum Reason {
    /// The Service has no usable endpoint anywhere.
    NO_ENDPOINTS("has no endpoints"),
    /// The policy for this traffic is Local and no endpoint is on this node.
    NO_LOCAL_ENDPOINTS("has no local endpoints");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /// The words that follow the name of the service in rules.
    public String text() {
      return text;
    }
  }

  /// When the source address is replaced by the node's own. A connection of an endpoint to itself
  /// always is.
  enum Masquerade {
    ALWAYS,
    NEVER,
    /// Unless the local detector calls the source a pod of this node.
    UNLESS_LOCAL_POD
  }
}
