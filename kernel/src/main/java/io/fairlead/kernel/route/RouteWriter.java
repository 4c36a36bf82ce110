package io.fairlead.kernel.route;

import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.syscall.NativeFileDescriptor;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Writes requests; numbers of `linux/rtnetlink.h`, `if_link.h`, `if_addr.h`, `fib_rules.h`. Nests
/// carry no flag here, as `ip` writes them: old kernels of this part do not expect it.
final class RouteWriter {
  private static final int IFLA_NAME = 3;
  private static final int IFLA_MTU = 4;
  private static final int IFLA_MASTER = 10;
  private static final int IFLA_INFO = 18;
  private static final int IFLA_NAMESPACE = 28;
  private static final int INFO_KIND = 1;
  private static final int INFO_DATA = 2;
  private static final int VETH_PEER = 1;
  private static final int VXLAN_ID = 1;
  private static final int VXLAN_LOCAL = 4;
  private static final int VXLAN_LOCAL6 = 17;
  private static final int VXLAN_LEARNING = 7;
  private static final int VXLAN_PORT = 15;
  private static final int UP = 1;
  private static final int NO_DUPLICATE_DETECTION = 2;
  private static final int ON_LINK = 4;
  private static final int BRIDGE_FAMILY = 7;
  private static final int PERMANENT = 0x80;
  private static final int NO_ARP = 0x40;
  private static final int OF_THE_LINK_ITSELF = 2;
  private static final int NEIGHBOUR_DESTINATION = 1;
  private static final int NEIGHBOUR_HARDWARE = 2;
  private static final int UNICAST = 1;
  private static final int SCOPE_LINK = 253;
  private static final int SCOPE_HOST = 254;
  private static final int DELIVERED_HERE = 2; // RTN_LOCAL of linux/rtnetlink.h
  private static final int TO_TABLE = 1;
  private static final int RTA_DESTINATION = 1;

  private final NetlinkMessageWriter out;

  RouteWriter(NetlinkMessageWriter out) {
    this.out = out;
  }

  /// A question for the route to one destination.
  void lookup(InetAddress destination) {
    byte[] bytes = destination.getAddress();
    // struct rtmsg: family, lengths of the prefixes, and what the answer fills in
    out.putByte(bytes.length == 4 ? Rtnetlink.IPV4 : Rtnetlink.IPV6).putByte(bytes.length * 8);
    out.putByte(0).putByte(0).putInt(0).putInt(0);
    out.bytes(RTA_DESTINATION, bytes);
  }

  private void interfaceHeader(int index, int flags, int change) {
    out.putByte(0).putByte(0).putShort(0).putInt(index).putInt(flags).putInt(change);
  }

  void interfaceHeader(int index) {
    interfaceHeader(index, 0, 0);
  }

  /// @param peerNamespace open while the message is sent; null for none
  void newLink(String name, LinkKind kind, @Nullable NativeFileDescriptor peerNamespace) {
    interfaceHeader(0);
    name(name);
    int info = out.open(IFLA_INFO);
    switch (kind) {
      case LinkKind.Veth veth -> {
        kind("veth");
        int data = out.open(INFO_DATA);
        int peer = out.open(VETH_PEER);
        interfaceHeader(0);
        name(veth.peer());
        if (peerNamespace != null) {
          out.u32(IFLA_NAMESPACE, peerNamespace.number());
        }
        out.close(peer);
        out.close(data);
      }
      case LinkKind.Bridge() -> kind("bridge");
      case LinkKind.Dummy() -> kind("dummy");
      case LinkKind.Vxlan vxlan -> {
        kind("vxlan");
        int data = out.open(INFO_DATA);
        out.u32(VXLAN_ID, vxlan.identifier());
        InetAddress local = vxlan.local();
        if (local != null) {
          byte[] bytes = local.getAddress();
          out.bytes(bytes.length == 4 ? VXLAN_LOCAL : VXLAN_LOCAL6, bytes);
        }
        if (!vxlan.learning()) {
          out.u8(VXLAN_LEARNING, 0);
        }
        out.be16(VXLAN_PORT, vxlan.port());
        out.close(data);
      }
    }
    out.close(info);
  }

  /// A name with its zero byte, as the kernel compares it.
  private void name(String name) {
    out.string(IFLA_NAME, name);
  }

  /// A kind without one, as `ip` sends it.
  private void kind(String kind) {
    out.bytes(INFO_KIND, kind.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  void up(int index, boolean up) {
    interfaceHeader(index, up ? UP : 0, UP);
  }

  void master(int index, int master) {
    interfaceHeader(index);
    out.u32(IFLA_MASTER, master);
  }

  void mtu(int index, int mtu) {
    interfaceHeader(index);
    out.u32(IFLA_MTU, mtu);
  }

  void move(int index, NativeFileDescriptor namespace) {
    interfaceHeader(index);
    out.u32(IFLA_NAMESPACE, namespace.number());
  }

  void address(int link, IpPrefix prefix) {
    boolean ipv6 = prefix.family() == Rtnetlink.IPV6;
    out.putByte(prefix.family())
        .putByte(prefix.length())
        .putByte(ipv6 ? NO_DUPLICATE_DETECTION : 0)
        .putByte(0)
        .putInt(link);
    out.bytes(2, prefix.address().getAddress());
    out.bytes(1, prefix.address().getAddress());
  }

  void route(Route route) {
    InetAddress gateway = route.gateway();
    boolean small = route.table() <= 255;
    boolean local = route.table() == Route.LOCAL;
    out.putByte(route.destination().family())
        .putByte(route.destination().length())
        .putByte(0)
        .putByte(0)
        .putByte(small ? route.table() : 0)
        .putByte(route.protocol())
        .putByte(local ? SCOPE_HOST : gateway == null ? SCOPE_LINK : 0)
        .putByte(local ? DELIVERED_HERE : UNICAST)
        .putInt(route.onLink() ? ON_LINK : 0);
    if (route.destination().length() > 0) {
      out.bytes(1, route.destination().address().getAddress());
    }
    if (gateway != null) {
      out.bytes(5, gateway.getAddress());
    }
    if (!small) {
      out.u32(15, route.table());
    }
    if (route.link() != 0) {
      out.u32(4, route.link());
    }
  }

  /// `ndmsg` of `linux/neighbour.h`.
  private void neighbourHeader(int family, int link, int state, int flags) {
    out.putByte(family).putByte(0).putShort(0).putInt(link);
    out.putShort(state).putByte(flags).putByte(0);
  }

  void neighbour(Neighbour neighbour) {
    neighbourKey(neighbour);
    out.bytes(NEIGHBOUR_HARDWARE, neighbour.hardware().bytes());
  }

  /// What is enough to delete one.
  void neighbourKey(Neighbour neighbour) {
    byte[] address = neighbour.address().getAddress();
    neighbourHeader(
        address.length == 4 ? Rtnetlink.IPV4 : Rtnetlink.IPV6, neighbour.link(), PERMANENT, 0);
    out.bytes(NEIGHBOUR_DESTINATION, address);
  }

  void forwarding(ForwardingEntry entry) {
    neighbourHeader(BRIDGE_FAMILY, entry.link(), PERMANENT | NO_ARP, OF_THE_LINK_ITSELF);
    out.bytes(NEIGHBOUR_HARDWARE, entry.hardware().bytes());
    out.bytes(NEIGHBOUR_DESTINATION, entry.machine().getAddress());
  }

  void rule(RoutingRule rule) {
    boolean small = rule.table() <= 255;
    out.putByte(rule.source().family())
        .putByte(0)
        .putByte(rule.source().length())
        .putByte(0)
        .putByte(small ? rule.table() : 0)
        .putByte(0)
        .putByte(0)
        .putByte(TO_TABLE)
        .putInt(0);
    out.bytes(2, rule.source().address().getAddress());
    out.u32(6, rule.priority());
    if (!small) {
      out.u32(15, rule.table());
    }
  }
}
