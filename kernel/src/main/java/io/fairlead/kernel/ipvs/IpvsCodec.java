package io.fairlead.kernel.ipvs;

import io.fairlead.kernel.netlink.GenericNetlinkFamily;
import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Messages to IPVS and from it. Numbers are in the machine's order but for ports; addresses are
/// bytes, in answers always sixteen of them. Nests carry no flag, as `ipvsadm` writes them.
final class IpvsCodec {
  static final int NEW_SERVICE = 1;
  static final int SET_SERVICE = 2;
  static final int DELETE_SERVICE = 3;
  static final int GET_SERVICE = 4;
  static final int NEW_DESTINATION = 5;
  static final int SET_DESTINATION = 6;
  static final int DELETE_DESTINATION = 7;
  static final int GET_DESTINATION = 8;
  static final int SET_CONFIG = 12;
  static final int GET_CONFIG = 13;
  static final int FLUSH = 17;

  private static final int SERVICE = 1;
  private static final int DESTINATION = 2;
  private static final int TIMEOUT_TCP = 4;
  private static final int TIMEOUT_TCP_FIN = 5;
  private static final int TIMEOUT_UDP = 6;
  private static final int ALL_FLAGS = 0xffffffff;
  private static final int MASQUERADE = 0;

  private IpvsCodec() {}

  /// The command of a change.
  static int command(IpvsChange change) {
    return switch (change) {
      case IpvsChange.AddServer _ -> NEW_SERVICE;
      case IpvsChange.SetServer _ -> SET_SERVICE;
      case IpvsChange.DeleteServer _ -> DELETE_SERVICE;
      case IpvsChange.AddReal _ -> NEW_DESTINATION;
      case IpvsChange.SetReal _ -> SET_DESTINATION;
      case IpvsChange.DeleteReal _ -> DELETE_DESTINATION;
    };
  }

  /// The attributes of a change.
  static void write(NetlinkMessageWriter out, IpvsChange change) {
    switch (change) {
      case IpvsChange.AddServer(VirtualServer server) -> server(out, server);
      case IpvsChange.SetServer(VirtualServer server) -> server(out, server);
      case IpvsChange.DeleteServer(VirtualServerAddress endpoint) -> endpoint(out, endpoint);
      case IpvsChange.AddReal(VirtualServer server, RealServer real) -> both(out, server, real);
      case IpvsChange.SetReal(VirtualServer server, RealServer real) -> both(out, server, real);
      case IpvsChange.DeleteReal(VirtualServer server, RealServer real) -> both(out, server, real);
    }
  }

  private static void both(NetlinkMessageWriter out, VirtualServer server, RealServer real) {
    server(out, server);
    int nest = out.open(DESTINATION);
    out.bytes(1, real.address().getAddress());
    out.be16(2, real.port());
    out.u32(3, MASQUERADE);
    out.u32(4, real.weight());
    out.u32(5, 0);
    out.u32(6, 0);
    out.close(nest);
  }

  private static void server(NetlinkMessageWriter out, VirtualServer server) {
    int nest = out.open(SERVICE);
    place(out, server.endpoint());
    out.string(6, server.scheduler());
    int flags = out.open(7);
    out.putInt(server.flags()).putInt(ALL_FLAGS);
    out.close(flags);
    out.u32(8, server.timeout());
    out.u32(9, server.endpoint().family() == VirtualServerAddress.IPV4 ? 0xffffffff : 128);
    out.close(nest);
  }

  /// A virtual server by its place alone.
  static void endpoint(NetlinkMessageWriter out, VirtualServerAddress endpoint) {
    int nest = out.open(SERVICE);
    place(out, endpoint);
    out.close(nest);
  }

  private static void place(NetlinkMessageWriter out, VirtualServerAddress endpoint) {
    out.u16(1, endpoint.family());
    out.u16(2, endpoint.protocol());
    out.bytes(3, endpoint.address().getAddress());
    out.be16(4, endpoint.port());
  }

  static void timeouts(NetlinkMessageWriter out, IpvsTimeouts timeouts) {
    out.u32(TIMEOUT_TCP, timeouts.tcp());
    out.u32(TIMEOUT_TCP_FIN, timeouts.tcpFin());
    out.u32(TIMEOUT_UDP, timeouts.udp());
  }

  static IpvsTimeouts timeouts(NetlinkMessageReader message) {
    NetlinkAttributeReader attributes = message.attributes(GenericNetlinkFamily.HEADER_LENGTH);
    int tcp = 0;
    int tcpFin = 0;
    int udp = 0;
    while (attributes.next()) {
      switch (attributes.type()) {
        case TIMEOUT_TCP -> tcp = attributes.u32();
        case TIMEOUT_TCP_FIN -> tcpFin = attributes.u32();
        case TIMEOUT_UDP -> udp = attributes.u32();
        default -> {}
      }
    }
    return new IpvsTimeouts(tcp, tcpFin, udp);
  }

  /// A virtual server of a listing; null for one that is known by a packet mark instead of a place.
  static @Nullable ListedVirtualServer server(NetlinkMessageReader message) {
    NetlinkAttributeReader in = nested(message, SERVICE);
    int family = 0;
    int protocol = 0;
    int port = 0;
    int flags = 0;
    int timeout = 0;
    byte[] address = new byte[0];
    String scheduler = "";
    IpvsStatistics statistics = IpvsStatistics.NONE;
    boolean marked = false;
    while (in.next()) {
      switch (in.type()) {
        case 1 -> family = in.u16();
        case 2 -> protocol = in.u16();
        case 3 -> address = in.bytes();
        case 4 -> port = in.be16();
        case 5 -> marked = true;
        case 6 -> scheduler = in.string();
        case 7 -> flags = in.u32();
        case 8 -> timeout = in.u32();
        case 12 -> statistics = statistics(in.nested());
        default -> {}
      }
    }
    if (marked) {
      return null;
    }
    VirtualServerAddress endpoint =
        new VirtualServerAddress(address(address, family), port, protocol);
    boolean persistent = (flags & VirtualServer.PERSISTENT) != 0;
    return new ListedVirtualServer(
        new VirtualServer(endpoint, scheduler, flags, persistent ? timeout : 0), statistics);
  }

  /// A real server of a listing.
  ///
  /// @param otherwise the family where the kernel does not say
  static ListedRealServer real(NetlinkMessageReader message, int otherwise) {
    NetlinkAttributeReader in = nested(message, DESTINATION);
    int family = otherwise;
    int port = 0;
    int weight = 0;
    int active = 0;
    int inactive = 0;
    int persistent = 0;
    byte[] address = new byte[0];
    IpvsStatistics statistics = IpvsStatistics.NONE;
    while (in.next()) {
      switch (in.type()) {
        case 1 -> address = in.bytes();
        case 2 -> port = in.be16();
        case 4 -> weight = in.u32();
        case 7 -> active = in.u32();
        case 8 -> inactive = in.u32();
        case 9 -> persistent = in.u32();
        case 11 -> family = in.u16();
        case 12 -> statistics = statistics(in.nested());
        default -> {}
      }
    }
    return new ListedRealServer(
        new RealServer(address(address, family), port, weight),
        active,
        inactive,
        persistent,
        statistics);
  }

  private static IpvsStatistics statistics(NetlinkAttributeReader in) {
    long[] values = new long[6];
    while (in.next()) {
      if (in.type() < values.length && in.length() == Long.BYTES) {
        values[in.type()] = in.u64();
      }
    }
    return new IpvsStatistics(values[1], values[2], values[3], values[4], values[5]);
  }

  private static NetlinkAttributeReader nested(NetlinkMessageReader message, int type) {
    NetlinkAttributeReader attributes = message.attributes(GenericNetlinkFamily.HEADER_LENGTH);
    while (attributes.next()) {
      if (attributes.type() == type) {
        return attributes.nested();
      }
    }
    throw new MalformedMessageException("a listing of IPVS without attribute " + type);
  }

  private static InetAddress address(byte[] bytes, int family) {
    int length = family == VirtualServerAddress.IPV4 ? 4 : 16;
    if (bytes.length < length) {
      throw new MalformedMessageException("an address of " + bytes.length + " bytes");
    }
    try {
      return InetAddress.getByAddress(Arrays.copyOf(bytes, length));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
