package io.fairlead.agent.routes;

import io.fairlead.agent.network.KernelAddresses;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.InterfaceIpAddress;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.Rtnetlink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What this node's interfaces reach directly, at one moment.
///
/// @param connected the addresses of its interfaces, with their networks
record Underlay(List<Connected> connected) {
  private static final int LONGEST_PACKET = 65_535;

  /// One address of an interface.
  ///
  /// @param network with the bits of the address itself
  /// @param mtu of the interface
  record Connected(Cidr network, int link, int mtu) {}

  Underlay {
    connected = List.copyOf(connected);
  }

  static Underlay look(Rtnetlink network) {
    List<Link> links = network.links();
    List<Connected> connected = new ArrayList<>();
    for (int family : new int[] {Rtnetlink.IPV4, Rtnetlink.IPV6}) {
      for (InterfaceIpAddress address : network.addresses(family)) {
        links.stream()
            .filter(link -> link.index() == address.link())
            .findFirst()
            .ifPresent(
                link ->
                    connected.add(
                        new Connected(
                            KernelAddresses.cidr(address.prefix()), link.index(), link.mtu())));
      }
    }
    return new Underlay(connected);
  }

  boolean isOwn(IpAddress address) {
    return connected.stream().anyMatch(one -> one.network().address().equals(address));
  }

  /// The interface on whose network another machine is.
  Optional<Integer> linkTo(IpAddress machine) {
    return connected.stream()
        .filter(one -> one.network().contains(machine) && !isOwn(machine))
        .map(Connected::link)
        .findFirst();
  }

  /// The longest packet that the interface with an address takes; empty when none has it, or only
  /// the loopback interface, which leads nowhere and takes more than any other may.
  Optional<Integer> mtu(IpAddress own) {
    return connected.stream()
        .filter(one -> one.network().address().equals(own))
        .map(Connected::mtu)
        .filter(mtu -> mtu <= LONGEST_PACKET)
        .findFirst();
  }
}
