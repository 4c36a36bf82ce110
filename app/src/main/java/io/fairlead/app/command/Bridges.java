package io.fairlead.app.command;

import io.fairlead.kernel.route.InterfaceIpAddress;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.SystemCallException;
import java.util.List;

/// The bridges of this machine that are gateways: those with an address. Network plugins make such
/// ones for pods (`cni0`).
///
/// @param ipv4 names of those with an IPv4 address
/// @param ipv6 names of those with an IPv6 address that is not of the link alone
record Bridges(List<String> ipv4, List<String> ipv6) {
  static final Bridges NONE = new Bridges(List.of(), List.of());

  Bridges {
    ipv4 = List.copyOf(ipv4);
    ipv6 = List.copyOf(ipv6);
  }

  /// Those of the network this process is in.
  static Bridges here() {
    try (Rtnetlink network = Rtnetlink.open()) {
      return new Bridges(names(network, Rtnetlink.IPV4), names(network, Rtnetlink.IPV6));
    } catch (SystemCallException e) {
      // A machine that does not let its links be seen has other troubles, which are named.
      return NONE;
    }
  }

  private static List<String> names(Rtnetlink network, int family) {
    List<Integer> gateways =
        network.addresses(family).stream()
            .filter(address -> !address.prefix().address().isLinkLocalAddress())
            .map(InterfaceIpAddress::link)
            .toList();
    return network.links().stream()
        .filter(link -> link.kind().equals("bridge") && gateways.contains(link.index()))
        .map(link -> link.name())
        .toList();
  }
}
