package io.fairlead.agent.routes;

import io.fairlead.agent.network.KernelAddresses;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.ForwardingEntry;
import io.fairlead.kernel.route.Neighbour;
import io.fairlead.kernel.route.Route;
import java.net.InetAddress;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// What the kernel is to know so that packets reach the pods of other nodes. Pure.
///
/// How it works: with *routes* the node of a pod is the gateway to its range. With *tunnels* the
/// gateway is the other end of the tunnel, which has the first address of that node's range; no ARP
/// and no learning goes through tunnels, so the agent sets in the kernel at which hardware address
/// each end is, and at which machine each hardware address.
///
/// @param unreachable ranges no packet can be sent to, with the reason
record RoutePlan(
    Set<Route> routes,
    Set<Neighbour> neighbours,
    Set<ForwardingEntry> forwarding,
    Set<String> unreachable) {
  /// Marks our routes; a number that no other program has registered.
  static final int PROTOCOL = 0xf1;

  /// @param tunnel the number of this node's tunnel interface, 0 without one
  /// @param machine where this node's tunnels come from
  static RoutePlan of(
      RouteMode mode,
      Collection<PeerNode> peers,
      Underlay underlay,
      int tunnel,
      IpAddress machine) {
    RoutePlan plan =
        new RoutePlan(
            new LinkedHashSet<>(),
            new LinkedHashSet<>(),
            new LinkedHashSet<>(),
            new LinkedHashSet<>());
    if (mode == RouteMode.NONE) {
      return plan;
    }
    for (PeerNode peer : peers) {
      for (Cidr range : peer.ranges()) {
        boolean straight = mode != RouteMode.VXLAN && plan.direct(peer, range, underlay);
        if (!straight && mode.tunnels()) {
          plan.tunnel(peer, range, tunnel, machine);
        } else if (!straight) {
          plan.unreachable.add(
              range
                  + " of node "
                  + peer.name()
                  + ": "
                  + peer.address(range.family())
                      .map(address -> address + " is on no network of this node")
                      .orElse("the node has no " + range.family() + " address")
                  + "; use --route-mode=auto or vxlan on all nodes");
        }
      }
    }
    return plan;
  }

  private boolean direct(PeerNode peer, Cidr range, Underlay underlay) {
    Optional<IpAddress> gateway = peer.address(range.family());
    Optional<Integer> link = gateway.flatMap(underlay::linkTo);
    if (gateway.isEmpty() || link.isEmpty()) {
      return false;
    }
    InetAddress through = KernelAddresses.inet(gateway.get());
    routes.add(
        new Route(KernelAddresses.prefix(range), through, link.get(), Route.MAIN, PROTOCOL, false));
    return true;
  }

  private void tunnel(PeerNode peer, Cidr range, int tunnel, IpAddress machine) {
    Optional<VxlanTunnelEndpoint> end = peer.tunnelEnd();
    if (end.isEmpty() || end.get().machine().family() != machine.family()) {
      unreachable.add(
          range
              + " of node "
              + peer.name()
              + ": "
              + end.map(other -> "its tunnels come from " + other.machine())
                  .orElse("the node has published no end of a tunnel yet"));
      return;
    }
    InetAddress gateway = KernelAddresses.inet(range.first());
    neighbours.add(new Neighbour(tunnel, gateway, end.get().hardware()));
    forwarding.add(
        new ForwardingEntry(
            tunnel, end.get().hardware(), KernelAddresses.inet(end.get().machine())));
    routes.add(
        new Route(KernelAddresses.prefix(range), gateway, tunnel, Route.MAIN, PROTOCOL, true));
  }
}
