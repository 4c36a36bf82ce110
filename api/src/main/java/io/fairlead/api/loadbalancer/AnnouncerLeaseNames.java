package io.fairlead.api.loadbalancer;

import io.fairlead.api.names.NodeReportLeases;

/// Where the announcer of a node says what it announces: a Lease of its own, which the node alone
/// writes and every component reads.
public final class AnnouncerLeaseNames {
  public static final String NAMESPACE = NodeReportLeases.NAMESPACE;

  /// A label that all of them have.
  public static final String LABEL = "fairlead.dev/announce";

  /// The annotation that lists the addresses the node answers for, with commas between.
  public static final String ANNOUNCES = "fairlead.dev/announces";

  /// The annotation that lists the addresses the node could announce.
  public static final String READY_FOR = "fairlead.dev/ready-for";

  /// The annotation that lists the addresses the node tells its routers of.
  public static final String ROUTES = "fairlead.dev/routes";

  /// The annotation that lists the addresses that a machine has which is no node.
  public static final String IN_USE = "fairlead.dev/in-use";

  /// The annotation that says after how many milliseconds without a renewal the node counts as
  /// dead.
  public static final String LIMIT = "fairlead.dev/lease-millis";

  /// The annotation with the networks of its interfaces.
  public static final String NETWORKS = "fairlead.dev/networks";

  private AnnouncerLeaseNames() {}

  /// The name of a node's.
  public static String of(String node) {
    return NodeReportLeases.ANNOUNCE + node;
  }
}
