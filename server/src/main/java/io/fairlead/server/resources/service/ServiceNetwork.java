package io.fairlead.server.resources.service;

import io.fairlead.api.net.Cidr;
import io.fairlead.server.allocation.NodePortRange;
import java.util.List;

/// Where Services get their addresses and node ports from, as the server was set up.
///
/// @param cidrs one range, or one of each family; the first is the cluster's own family
/// @param externalIps whether Services may name addresses of others as theirs
/// @param clusterAddresses whether balancers may stand for nodes, pods and API servers
public record ServiceNetwork(
    List<Cidr> cidrs, NodePortRange nodePorts, boolean externalIps, boolean clusterAddresses) {
  /// What people know: 10.96.0.0/12 and 30000-32767.
  public static final ServiceNetwork DEFAULT =
      parse(List.of("10.96.0.0/12"), "30000-32767", false, false);

  public ServiceNetwork {
    cidrs = List.copyOf(cidrs);
    if (cidrs.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs a range for its Services");
    }
  }

  /// Reads the forms of the flags, `10.96.0.0/12` and `30000-32767`.
  public static ServiceNetwork parse(
      List<String> cidrs, String nodePorts, boolean externalIps, boolean clusterAddresses) {
    return new ServiceNetwork(
        cidrs.stream().map(Cidr::parse).toList(),
        NodePortRange.parse(nodePorts),
        externalIps,
        clusterAddresses);
  }

  /// `IPv4`, `IPv6`, in the order of the ranges.
  List<String> families() {
    return cidrs.stream().map(cidr -> cidr.family().toString()).distinct().toList();
  }
}
