package io.fairlead.agent.routes;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.KernelAddresses;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.LinkKind;
import io.fairlead.kernel.route.Neighbour;
import io.fairlead.kernel.route.Route;
import io.fairlead.kernel.route.Rtnetlink;
import java.net.Inet6Address;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// This node's side of the network between nodes, in the kernel.
///
/// Every look compares what the kernel has with what it should have, adds what is missing and takes
/// away what is ours and no longer wanted; so it mends what others broke, and a new agent goes on
/// where the last one stopped. Used by one thread at a time.
public final class NodeRoutes {
  /// The interface of the tunnels.
  public static final String TUNNEL = "fl.1";

  private static final int IDENTIFIER = 1;
  private static final int PORT = 8472;
  private static final int[] FAMILIES = {Rtnetlink.IPV4, Rtnetlink.IPV6};

  private final HostNamespace host;
  private final RouteMode mode;
  private final IpAddress machine;
  private final List<Cidr> ranges;

  /// @param machine the address of this node that others use
  /// @param ranges of this node's pods
  public NodeRoutes(HostNamespace host, RouteMode mode, IpAddress machine, List<Cidr> ranges) {
    this.host = host;
    this.mode = mode;
    this.machine = machine;
    this.ranges = List.copyOf(ranges);
  }

  /// The longest packet that pods may send so that it reaches pods of other nodes whole; empty when
  /// no interface has the node's address, and nothing is known.
  public Optional<Integer> podMtu() {
    return host.call(
        () -> {
          try (Rtnetlink network = Rtnetlink.open()) {
            return Underlay.look(network)
                .mtu(machine)
                .map(mtu -> mode.tunnels() ? mtu - overhead() : mtu);
          }
        });
  }

  /// Outer Ethernet is not counted; outer IP, UDP, VXLAN and the inner Ethernet header are.
  private int overhead() {
    return machine.isIpv4() ? 50 : 70;
  }

  /// Makes this node's end of tunnels, or takes it away when it is to have none.
  ///
  /// @return what others must know of it
  public Optional<VxlanTunnelEndpoint> prepare() {
    return host.call(
        () -> {
          try (Rtnetlink network = Rtnetlink.open()) {
            if (!mode.tunnels()) {
              deleteTunnel(network);
              return Optional.empty();
            }
            return Optional.of(tunnelEnd(network));
          }
        });
  }

  private VxlanTunnelEndpoint tunnelEnd(Rtnetlink network) {
    if (network.link(TUNNEL).isEmpty()) {
      network.addLink(
          TUNNEL, new LinkKind.Vxlan(IDENTIFIER, PORT, false, KernelAddresses.inet(machine)));
    }
    Link link = network.link(TUNNEL).orElseThrow();
    Optional<Integer> mtu = Underlay.look(network).mtu(machine);
    if (mtu.isPresent() && link.mtu() != mtu.get() - overhead()) {
      network.setMtu(link.index(), mtu.get() - overhead());
    }
    if (!link.up()) {
      network.setUp(link.index(), true);
    }
    for (Cidr range : ranges) {
      IpPrefix address = KernelAddresses.single(range.first());
      quietly(
          e -> {
            if (!e.alreadyExists()) {
              throw e;
            }
          },
          () -> network.addAddress(link.index(), address));
    }
    return new VxlanTunnelEndpoint(
        Objects.requireNonNull(network.hardwareAddresses().get(link.index())), machine);
  }

  /// Brings the kernel into line with the nodes there are.
  ///
  /// @param peers all nodes but this one
  /// @return what could not be done, in sentences
  public Set<String> sync(Collection<PeerNode> peers) {
    return host.call(
        () -> {
          try (Rtnetlink network = Rtnetlink.open()) {
            return sync(network, peers);
          }
        });
  }

  private Set<String> sync(Rtnetlink network, Collection<PeerNode> peers) {
    int tunnel = network.link(TUNNEL).map(Link::index).orElse(0);
    RoutePlan plan = RoutePlan.of(mode, peers, Underlay.look(network), tunnel, machine);
    Set<String> failures = new TreeSet<>(plan.unreachable());
    Consumer<NetlinkException> note = e -> failures.add(String.valueOf(e.getMessage()));
    List<Route> present = routes(network);
    List<?> entries = network.forwardingEntries();
    plan.forwarding().stream()
        .filter(one -> !entries.contains(one))
        .forEach(one -> quietly(note, () -> network.replaceForwarding(one)));
    for (int family : FAMILIES) {
      List<?> known = network.neighbours(family);
      plan.neighbours().stream()
          .filter(one -> family(one) == family && !known.contains(one))
          .forEach(one -> quietly(note, () -> network.replaceNeighbour(one)));
    }
    plan.routes().stream()
        .filter(one -> !present.contains(one))
        .forEach(one -> quietly(note, () -> set(network, one, present)));
    prune(network, plan, tunnel, note);
    return failures;
  }

  /// IPv6 refuses a gateway that is said to be on one link while a route leads to it by another, as
  /// the one does that was there before tunnels: so that goes first.
  private static void set(Rtnetlink network, Route wanted, List<Route> present) {
    if (wanted.onLink() && wanted.gateway() instanceof Inet6Address) {
      present.stream()
          .filter(old -> old.destination().equals(wanted.destination()))
          .filter(old -> old.link() != wanted.link())
          .forEach(network::deleteRoute);
    }
    network.replaceRoute(wanted);
  }

  /// Takes away what is ours and no longer wanted.
  private static void prune(
      Rtnetlink network, RoutePlan plan, int tunnel, Consumer<NetlinkException> note) {
    routes(network).stream()
        .filter(one -> !plan.routes().contains(one))
        .forEach(one -> quietly(note, () -> network.deleteRoute(one)));
    if (tunnel == 0) {
      return;
    }
    for (int family : FAMILIES) {
      network.neighbours(family).stream()
          .filter(one -> one.link() == tunnel && !plan.neighbours().contains(one))
          .forEach(one -> quietly(note, () -> network.deleteNeighbour(one)));
    }
    network.forwardingEntries().stream()
        .filter(one -> one.link() == tunnel && !plan.forwarding().contains(one))
        .forEach(one -> quietly(note, () -> network.deleteForwarding(one)));
  }

  private static List<Route> routes(Rtnetlink network) {
    return Arrays.stream(FAMILIES)
        .mapToObj(network::routes)
        .flatMap(List::stream)
        .filter(route -> route.protocol() == RoutePlan.PROTOCOL && route.table() == Route.MAIN)
        .toList();
  }

  private static int family(Neighbour neighbour) {
    return neighbour.address().getAddress().length == 4 ? Rtnetlink.IPV4 : Rtnetlink.IPV6;
  }

  private static void quietly(Consumer<NetlinkException> note, Runnable work) {
    try {
      work.run();
    } catch (NetlinkException e) {
      note.accept(e);
    }
  }

  /// Takes everything of any agent away that is of this kind. What is not there is fine.
  public static void tearDown(HostNamespace host) {
    host.run(
        () -> {
          try (Rtnetlink network = Rtnetlink.open()) {
            for (Route route : routes(network)) {
              quietly(NodeRoutes::mustBeGone, () -> network.deleteRoute(route));
            }
            deleteTunnel(network);
          }
        });
  }

  private static void deleteTunnel(Rtnetlink network) {
    network
        .link(TUNNEL)
        .filter(link -> link.kind().equals("vxlan"))
        .ifPresent(link -> quietly(NodeRoutes::mustBeGone, () -> network.deleteLink(link.index())));
  }

  private static void mustBeGone(NetlinkException e) {
    if (!e.isNotFound()) {
      throw e;
    }
  }
}
