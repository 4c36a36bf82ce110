package io.fairlead.kernel.route;

import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.FileCalls;
import io.fairlead.kernel.syscall.NativeFileDescriptor;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Interfaces, addresses, routes and routing rules of one network namespace: that of the thread
/// that opens it. Used by one thread at a time. Adding what is there, and deleting what is not, is
/// an error of the kernel; ask {@code alreadyExists()} and {@code isNotFound()}.
public final class Rtnetlink implements AutoCloseable {
  /// `AF_INET`.
  public static final int IPV4 = 2;

  /// `AF_INET6`.
  public static final int IPV6 = 10;

  private static final int NEW_LINK = 16;
  static final int DELETE_LINK = 17;
  private static final int GET_LINK = 18;
  static final int NEW_ADDRESS = 20;
  static final int DELETE_ADDRESS = 21;
  private static final int GET_ADDRESS = 22;
  private static final int NEW_ROUTE = 24;
  private static final int DELETE_ROUTE = 25;
  private static final int GET_ROUTE = 26;
  private static final int NEW_NEIGHBOUR = 28;
  private static final int DELETE_NEIGHBOUR = 29;
  private static final int GET_NEIGHBOUR = 30;
  private static final int BRIDGE_FAMILY = 7;
  private static final int NEW_RULE = 32;
  private static final int DELETE_RULE = 33;
  private static final int GET_RULE = 34;
  private static final int CREATE = NetlinkConstants.FLAG_CREATE | NetlinkConstants.FLAG_EXCLUSIVE;

  private final NetlinkSocket socket;

  private Rtnetlink(NetlinkSocket socket) {
    this.socket = socket;
  }

  public static Rtnetlink open() {
    return new Rtnetlink(NetlinkSocket.open(NetlinkConstants.ROUTE));
  }

  /// The number by which events tell whether it was us.
  public int port() {
    return socket.port();
  }

  public List<Link> links() {
    return dump("interfaces", GET_LINK, 16, 0, RouteReader::link);
  }

  /// Those that have a hardware address.
  public List<EthernetLink> ethernetLinks() {
    return dump("interfaces", GET_LINK, 16, 0, RouteReader::ethernetLink);
  }

  public Optional<Link> link(String name) {
    return links().stream().filter(link -> link.name().equals(name)).findFirst();
  }

  /// Makes an interface, which is down at first.
  public void addLink(String name, LinkKind kind) {
    String object = "add interface " + name;
    if (kind instanceof LinkKind.Veth(String _, NetworkNamespace peer) && peer != null) {
      try (NativeFileDescriptor namespace = FileCalls.open(peer.path())) {
        request(object, NEW_LINK, CREATE, out -> out.newLink(name, kind, namespace));
      }
    } else {
      request(object, NEW_LINK, CREATE, out -> out.newLink(name, kind, null));
    }
  }

  /// Deletes an interface; of a veth pair, both ends.
  public void deleteLink(int index) {
    request("delete interface " + index, DELETE_LINK, 0, out -> out.interfaceHeader(index));
  }

  public void setUp(int index, boolean up) {
    request("set interface " + index, NEW_LINK, 0, out -> out.up(index, up));
  }

  public void setMtu(int index, int mtu) {
    request("set mtu of interface " + index, NEW_LINK, 0, out -> out.mtu(index, mtu));
  }

  /// Puts an interface into a bridge; 0 takes it out.
  public void setMaster(int index, int bridge) {
    request("set master of interface " + index, NEW_LINK, 0, out -> out.master(index, bridge));
  }

  /// Moves an interface to another namespace, where it is down and has another number.
  public void move(int index, NetworkNamespace namespace) {
    try (NativeFileDescriptor open = FileCalls.open(namespace.path())) {
      request(
          "move interface " + index + " to " + namespace.name(),
          NEW_LINK,
          0,
          out -> out.move(index, open));
    }
  }

  public List<InterfaceIpAddress> addresses(int family) {
    return dump("addresses", GET_ADDRESS, 8, family, RouteReader::address);
  }

  /// Gives an interface an address. IPv6 addresses are usable at once: no duplicates are looked
  /// for.
  public void addAddress(int link, IpPrefix prefix) {
    request("add address " + prefix, NEW_ADDRESS, CREATE, out -> out.address(link, prefix));
  }

  public void deleteAddress(int link, IpPrefix prefix) {
    request("delete address " + prefix, DELETE_ADDRESS, 0, out -> out.address(link, prefix));
  }

  public List<Route> routes(int family) {
    return dump("routes", GET_ROUTE, 12, family, RouteReader::route);
  }

  /// How the kernel would send a packet of this namespace there.
  ///
  /// @throws io.fairlead.kernel.netlink.NetlinkException with ENETUNREACH or EHOSTUNREACH when no
  ///   route leads there
  public RouteLookup lookup(InetAddress destination) {
    List<RouteLookup> found = new ArrayList<>();
    socket.ask(
        "route to " + destination.getHostAddress(),
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          int start =
              out.begin(
                  GET_ROUTE, NetlinkConstants.FLAG_REQUEST | NetlinkConstants.FLAG_ACK, sequence);
          new RouteWriter(out).lookup(destination);
          out.end(start);
          return out;
        },
        message -> found.add(RouteReader.lookup(message)));
    return found.getFirst();
  }

  public void addRoute(Route route) {
    request("add route " + route.destination(), NEW_ROUTE, CREATE, out -> out.route(route));
  }

  /// Adds a route in place of one to the same destination.
  public void replaceRoute(Route route) {
    request(
        "replace route " + route.destination(),
        NEW_ROUTE,
        NetlinkConstants.FLAG_CREATE | NetlinkConstants.FLAG_REPLACE,
        out -> out.route(route));
  }

  public void deleteRoute(Route route) {
    request("delete route " + route.destination(), DELETE_ROUTE, 0, out -> out.route(route));
  }

  /// The hardware addresses of interfaces that have one, by number.
  public Map<Integer, HardwareAddress> hardwareAddresses() {
    Map<Integer, HardwareAddress> all = new HashMap<>();
    dump(
        "interfaces",
        GET_LINK,
        16,
        0,
        message -> {
          HardwareAddress address = RouteReader.hardware(message);
          return address == null ? null : all.put(message.headerInt(4), address);
        });
    return all;
  }

  /// The neighbours that a program has set.
  public List<Neighbour> neighbours(int family) {
    return dump("neighbours", GET_NEIGHBOUR, 12, family, RouteReader::neighbour);
  }

  /// Sets a neighbour, in place of what was known of its address.
  public void replaceNeighbour(Neighbour neighbour) {
    request(
        "replace neighbour " + neighbour.address().getHostAddress(),
        NEW_NEIGHBOUR,
        NetlinkConstants.FLAG_CREATE | NetlinkConstants.FLAG_REPLACE,
        out -> out.neighbour(neighbour));
  }

  public void deleteNeighbour(Neighbour neighbour) {
    request(
        "delete neighbour " + neighbour.address().getHostAddress(),
        DELETE_NEIGHBOUR,
        0,
        out -> out.neighbourKey(neighbour));
  }

  /// What tunnels were told, of all interfaces.
  public List<ForwardingEntry> forwardingEntries() {
    return dump("forwarding entries", GET_NEIGHBOUR, 12, BRIDGE_FAMILY, RouteReader::forwarding);
  }

  /// Sets where a tunnel finds a hardware address, in place of what was set before.
  public void replaceForwarding(ForwardingEntry entry) {
    request(
        "replace forwarding of " + entry.hardware(),
        NEW_NEIGHBOUR,
        NetlinkConstants.FLAG_CREATE | NetlinkConstants.FLAG_REPLACE,
        out -> out.forwarding(entry));
  }

  public void deleteForwarding(ForwardingEntry entry) {
    request(
        "delete forwarding of " + entry.hardware(),
        DELETE_NEIGHBOUR,
        0,
        out -> out.forwarding(entry));
  }

  public List<RoutingRule> rules(int family) {
    return dump("routing rules", GET_RULE, 12, family, RouteReader::rule);
  }

  public void addRule(RoutingRule rule) {
    request("add rule from " + rule.source(), NEW_RULE, CREATE, out -> out.rule(rule));
  }

  public void deleteRule(RoutingRule rule) {
    request("delete rule from " + rule.source(), DELETE_RULE, 0, out -> out.rule(rule));
  }

  private void request(String object, int type, int flags, Consumer<RouteWriter> write) {
    socket.request(
        object,
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          int start =
              out.begin(
                  type,
                  NetlinkConstants.FLAG_REQUEST | NetlinkConstants.FLAG_ACK | flags,
                  sequence);
          write.accept(new RouteWriter(out));
          out.end(start);
          return out;
        });
  }

  private <T> List<T> dump(
      String object,
      int type,
      int headerLength,
      int family,
      Function<NetlinkMessageReader, @Nullable T> read) {
    return socket.list(
        object,
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          int start =
              out.begin(type, NetlinkConstants.FLAG_REQUEST | NetlinkConstants.FLAG_DUMP, sequence);
          out.putByte(family);
          for (int i = 1; i < headerLength; i++) {
            out.putByte(0);
          }
          out.end(start);
          return out;
        },
        (message, found) -> {
          T value = read.apply(message);
          if (value != null) {
            found.add(value);
          }
        });
  }

  @Override
  public void close() {
    socket.close();
  }
}
