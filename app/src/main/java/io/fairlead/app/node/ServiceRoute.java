package io.fairlead.app.node;

import io.fairlead.api.net.Cidr;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.LinkKind;
import io.fairlead.kernel.route.Route;
import io.fairlead.kernel.route.Rtnetlink;
import java.util.List;
import java.util.Optional;

/// A route for the range of Services on a machine that has none.
///
/// The kernel looks for a route before any rule can say where a packet for a Service really goes.
/// On a machine that is on no network there is none, and no process could call a Service. So where
/// no route covers the range, it leads to a veth pair whose ends are both on this machine and carry
/// nothing: the proxy's rules take every packet before.
///
/// The loopback interface would not do. What the kernel routes there it takes for its own: the
/// source may become 127.0.0.1, which no pod can answer, and when a rule refuses a packet the
/// kernel wants to say so from the address of the Service, which is no address of the machine, so
/// that the caller hears nothing.
public final class ServiceRoute {
  private static final String LINK = "services0";
  private static final String PEER = "services1";

  private ServiceRoute() {}

  /// Makes the route where no other covers the range. One that an earlier process left stays if it
  /// is right: connections through it go on.
  public static void add(Cidr range) {
    try (Rtnetlink network = Rtnetlink.open()) {
      List<Route> routes =
          network.routes(range.address().isIpv4() ? Rtnetlink.IPV4 : Rtnetlink.IPV6).stream()
              .filter(route -> route.table() == Route.MAIN)
              .toList();
      Optional<Integer> old = network.link(LINK).map(Link::index);
      IpPrefix wanted = IpPrefix.parse(range.toString());
      if (isCovered(range, routes, old)) {
        remove(network);
      } else if (old.isEmpty() || !routes.contains(new Route(wanted, null, old.get()))) {
        remove(network);
        make(network, wanted);
      }
    }
  }

  private static boolean isCovered(Cidr range, List<Route> routes, Optional<Integer> own) {
    return routes.stream()
        .filter(route -> own.isEmpty() || route.link() != own.get())
        .anyMatch(route -> Cidr.parse(route.destination().toString()).contains(range));
  }

  private static void make(Rtnetlink network, IpPrefix range) {
    network.addLink(LINK, new LinkKind.Veth(PEER, null));
    int link = network.link(LINK).map(Link::index).orElseThrow();
    network.setUp(link, true);
    network.setUp(network.link(PEER).map(Link::index).orElseThrow(), true);
    network.addRoute(new Route(range, null, link));
  }

  /// Takes it away. None is fine.
  public static void remove() {
    try (Rtnetlink network = Rtnetlink.open()) {
      remove(network);
    }
  }

  private static void remove(Rtnetlink network) {
    network.link(LINK).ifPresent(link -> network.deleteLink(link.index()));
  }
}
