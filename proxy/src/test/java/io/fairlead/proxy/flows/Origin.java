package io.fairlead.proxy.flows;

/// Where a connection comes from.
public enum Origin {
  /// A pod of the node that is no endpoint.
  POD,
  /// The pod behind endpoint L1.
  L1,
  /// A process of the node itself.
  NODE,
  /// A client outside, in the range that is allowed where sources are limited.
  EXTERNAL,
  /// A client outside, not in that range.
  BAD,
  /// A client whose source is the load balancer address of `fwnode`.
  VIP
}
