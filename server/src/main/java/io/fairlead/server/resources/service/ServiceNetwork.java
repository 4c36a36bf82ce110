package io.fairlead.server.resources.service;

import io.fairlead.api.net.Cidr;
import io.fairlead.server.allocation.PortRange;
import java.util.List;

/// Where Services get their addresses and node ports from, as the server was set up.
///
/// @param cidrs one range, or one of each family; the first is the cluster's own family
/// @param externalIps whether Services may name addresses of others as theirs
public record ServiceNetwork(List<Cidr> cidrs, PortRange nodePorts, boolean externalIps) {
  /// What people know: 10.96.0.0/12 and 30000-32767.
  public static final ServiceNetwork DEFAULT =
      new ServiceNetwork(List.of(Cidr.parse("10.96.0.0/12")), new PortRange(30000, 32767), false);

  public ServiceNetwork {
    cidrs = List.copyOf(cidrs);
    if (cidrs.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs a range for its Services");
    }
  }

  /// Reads the forms of the flags, `10.96.0.0/12` and `30000-32767`.
  public static ServiceNetwork parse(List<String> cidrs, String nodePorts, boolean externalIps) {
    return new ServiceNetwork(
        cidrs.stream().map(Cidr::parse).toList(), PortRange.parse(nodePorts), externalIps);
  }

  /// `IPv4`, `IPv6`, in the order of the ranges.
  List<String> families() {
    return cidrs.stream().map(cidr -> cidr.family().toString()).distinct().toList();
  }
}
