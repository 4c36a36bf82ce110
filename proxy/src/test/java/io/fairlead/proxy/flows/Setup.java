package io.fairlead.proxy.flows;

/// How the proxy of the node is configured for a flow.
public enum Setup {
  /// Pods are known by the cluster CIDR, node ports answer everywhere, on loopback too.
  STANDARD,
  /// Nothing tells pods from others.
  NO_DETECTOR,
  /// All traffic to cluster IPs is masqueraded.
  MASQUERADE_ALL,
  /// Node ports answer on the primary address only.
  PRIMARY_NODE_PORTS,
  /// Node ports do not answer on loopback.
  NO_LOCALHOST
}
