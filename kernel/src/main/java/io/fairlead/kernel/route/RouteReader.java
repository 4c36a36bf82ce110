package io.fairlead.kernel.route;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// Reads what the kernel lists.
final class RouteReader {
  private static final int INTERFACE_HEADER = 16;
  private static final int ADDRESS_HEADER = 8;
  private static final int ROUTE_HEADER = 12;
  private static final int NEIGHBOUR_HEADER = 12;
  private static final int ON_LINK = 4;
  private static final int PERMANENT = 0x80;
  private static final int DELIVERED_HERE = 2; // RTN_LOCAL of linux/rtnetlink.h

  private RouteReader() {}

  static Link link(NetlinkMessageReader message) {
    String name = "";
    String kind = "";
    int mtu = 0;
    int master = 0;
    NetlinkAttributeReader attributes = message.attributes(INTERFACE_HEADER);
    while (attributes.next()) {
      switch (attributes.type()) {
        case 3 -> name = attributes.string();
        case 4 -> mtu = attributes.u32();
        case 10 -> master = attributes.u32();
        case 18 -> {
          NetlinkAttributeReader info = attributes.nested();
          while (info.next()) {
            if (info.type() == 1) {
              kind = info.string();
            }
          }
        }
        default -> {}
      }
    }
    boolean up = (message.headerInt(8) & 1) != 0;
    return new Link(message.headerInt(4), name, up, mtu, kind, master);
  }

  /// Null for an address that is none of the machine's own.
  static @Nullable InterfaceIpAddress address(NetlinkMessageReader message) {
    InetAddress local = null;
    InetAddress plain = null;
    NetlinkAttributeReader attributes = message.attributes(ADDRESS_HEADER);
    while (attributes.next()) {
      switch (attributes.type()) {
        case 1 -> plain = inet(attributes.bytes());
        case 2 -> local = inet(attributes.bytes());
        default -> {}
      }
    }
    InetAddress own = local == null ? plain : local;
    return own == null
        ? null
        : new InterfaceIpAddress(message.headerInt(4), prefix(own, message.headerByte(1)));
  }

  static Route route(NetlinkMessageReader message) {
    int family = message.headerByte(0);
    int table = message.headerByte(4);
    InetAddress destination = any(family);
    InetAddress gateway = null;
    int link = 0;
    NetlinkAttributeReader attributes = message.attributes(ROUTE_HEADER);
    while (attributes.next()) {
      switch (attributes.type()) {
        case 1 -> destination = inet(attributes.bytes());
        case 4 -> link = attributes.u32();
        case 5 -> gateway = inet(attributes.bytes());
        case 15 -> table = attributes.u32();
        default -> {}
      }
    }
    return new Route(
        prefix(destination, message.headerByte(1)),
        gateway,
        link,
        table,
        message.headerByte(5),
        (message.headerInt(8) & ON_LINK) != 0);
  }

  static RouteLookup lookup(NetlinkMessageReader message) {
    InetAddress gateway = null;
    InetAddress source = null;
    int link = 0;
    NetlinkAttributeReader attributes = message.attributes(ROUTE_HEADER);
    while (attributes.next()) {
      switch (attributes.type()) {
        case 4 -> link = attributes.u32();
        case 5 -> gateway = inet(attributes.bytes());
        case 7 -> source = inet(attributes.bytes());
        default -> {}
      }
    }
    return new RouteLookup(gateway, link, source, message.headerByte(7) == DELIVERED_HERE);
  }

  /// Null for what is not an Ethernet interface.
  static @Nullable HardwareAddress hardware(NetlinkMessageReader message) {
    NetlinkAttributeReader attributes = message.attributes(INTERFACE_HEADER);
    while (attributes.next()) {
      if (attributes.type() == 1 && attributes.bytes().length == 6) {
        return HardwareAddress.of(attributes.bytes());
      }
    }
    return null;
  }

  /// Null for what is not an Ethernet interface.
  static @Nullable EthernetLink ethernetLink(NetlinkMessageReader message) {
    HardwareAddress hardware = hardware(message);
    return hardware == null
        ? null
        : new EthernetLink(link(message), hardware, message.headerInt(8));
  }

  /// Null for one that the kernel found out itself.
  static @Nullable Neighbour neighbour(NetlinkMessageReader message) {
    NeighbourParts parts = NeighbourParts.of(message);
    return parts.address == null || parts.hardware == null
        ? null
        : new Neighbour(message.headerInt(4), parts.address, parts.hardware);
  }

  /// Null for one that names no machine.
  static @Nullable ForwardingEntry forwarding(NetlinkMessageReader message) {
    NeighbourParts parts = NeighbourParts.of(message);
    return parts.address == null || parts.hardware == null
        ? null
        : new ForwardingEntry(message.headerInt(4), parts.hardware, parts.address);
  }

  private record NeighbourParts(@Nullable InetAddress address, @Nullable HardwareAddress hardware) {
    static NeighbourParts of(NetlinkMessageReader message) {
      InetAddress address = null;
      HardwareAddress hardware = null;
      NetlinkAttributeReader attributes = message.attributes(NEIGHBOUR_HEADER);
      while (attributes.next()) {
        switch (attributes.type()) {
          case 1 -> address = inet(attributes.bytes());
          case 2 ->
              hardware =
                  attributes.bytes().length == 6 ? HardwareAddress.of(attributes.bytes()) : null;
          default -> {}
        }
      }
      boolean permanent = (message.headerByte(8) & PERMANENT) != 0;
      return permanent ? new NeighbourParts(address, hardware) : new NeighbourParts(null, null);
    }
  }

  static RoutingRule rule(NetlinkMessageReader message) {
    int table = message.headerByte(4);
    int priority = 0;
    InetAddress source = any(message.headerByte(0));
    NetlinkAttributeReader attributes = message.attributes(ROUTE_HEADER);
    while (attributes.next()) {
      switch (attributes.type()) {
        case 2 -> source = inet(attributes.bytes());
        case 6 -> priority = attributes.u32();
        case 15 -> table = attributes.u32();
        default -> {}
      }
    }
    return new RoutingRule(prefix(source, message.headerByte(2)), table, priority);
  }

  private static InetAddress any(int family) {
    return inet(new byte[family == Rtnetlink.IPV6 ? 16 : 4]);
  }

  private static IpPrefix prefix(InetAddress address, int length) {
    int bits = address.getAddress().length * 8;
    if (length > bits) {
      throw new MalformedMessageException(
          "a prefix of " + length + " bits of an address of " + bits);
    }
    return new IpPrefix(address, length);
  }

  /// IPv6 stays IPv6 also where it stands for an IPv4 address (`::ffff:0:0/96` is a usual route to
  /// forbid): Java would make an IPv4 address of it, to which the length does not belong.
  private static InetAddress inet(byte[] bytes) {
    try {
      return bytes.length == 16
          ? Inet6Address.getByAddress(null, bytes, -1)
          : InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new MalformedMessageException("an address of " + bytes.length + " bytes");
    }
  }
}
