package io.fairlead.api.names;

import java.util.List;

/// The Leases in which components of a node report: one for each node and component, named by both.
/// Each speaks for the node that it is named after, and for no other.
public final class NodeReportLeases {
  /// Where all of them are.
  public static final String NAMESPACE = "kube-public";

  /// What the announcer of load balancer addresses reports.
  public static final String ANNOUNCE = "fairlead-announce-";

  /// What the component that enforces NetworkPolicies reports.
  public static final String POLICY = "fairlead-policy-";

  /// What the proxy reports.
  public static final String PROXY = "fairlead-proxy-";

  private static final List<String> PREFIXES = List.of(ANNOUNCE, POLICY, PROXY);

  private NodeReportLeases() {}

  /// Whether a Lease of that name is a report of a component of that node.
  public static boolean isOf(String node, String lease) {
    return PREFIXES.stream().anyMatch(prefix -> lease.equals(prefix + node));
  }

  /// The node that a Lease of that name speaks for; empty when it is no such report.
  public static String node(String lease) {
    for (String prefix : PREFIXES) {
      if (lease.startsWith(prefix)) {
        return lease.substring(prefix.length());
      }
    }
    return "";
  }
}
