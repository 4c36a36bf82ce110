package io.fairlead.kernel.conntrack;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// Reads and writes entries; numbers of `linux/netfilter/nfnetlink_conntrack.h`.
final class ConntrackEntryCodec {
  static final int TUPLE_ORIGINAL = 1;
  private static final int TUPLE_REPLY = 2;
  private static final int STATUS = 3;
  private static final int PROTOCOL_INFO = 4;
  private static final int PROTOCOL_INFO_TCP = 1;
  private static final int TCP_STATE = 1;
  private static final int TIMEOUT = 7;
  private static final int MARK = 8;
  private static final int COUNTERS_ORIGINAL = 9;
  private static final int COUNTERS_REPLY = 10;
  private static final int COUNTER_PACKETS = 1;
  private static final int COUNTER_BYTES = 2;
  private static final int ID = 12;
  private static final int ZONE = 18;
  private static final int TIMESTAMP = 20;
  private static final int TIMESTAMP_START = 1;
  private static final int STATUS_MASK = 26;
  private static final int TUPLE_IP = 1;
  private static final int TUPLE_PROTOCOL = 2;
  private static final int IP_V4_SOURCE = 1;
  private static final int IP_V4_DESTINATION = 2;
  private static final int IP_V6_SOURCE = 3;
  private static final int IP_V6_DESTINATION = 4;
  private static final int PROTOCOL_NUMBER = 1;
  private static final int PROTOCOL_SOURCE_PORT = 2;
  private static final int PROTOCOL_DESTINATION_PORT = 3;
  private static final int FILTER = 25;
  private static final int FILTER_ORIGINAL = 1;
  private static final int FILTER_REPLY = 2;
  private static final int FILTER_BY_SOURCE = 1;
  private static final int FILTER_BY_DESTINATION = 1 << 1;
  private static final int FILTER_BY_PROTOCOL = 1 << 3;
  private static final int FILTER_BY_SOURCE_PORT = 1 << 4;
  private static final int FILTER_BY_DESTINATION_PORT = 1 << 5;
  private static final int HEADER = 4;

  private ConntrackEntryCodec() {}

  static ConntrackEntry read(NetlinkMessageReader message) {
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    ConntrackTuple original = null;
    ConntrackTuple reply = null;
    int status = 0;
    int timeout = 0;
    int mark = 0;
    int id = 0;
    int zone = 0;
    int tcpState = 0;
    ConntrackEntry.Volume sent = null;
    ConntrackEntry.Volume answered = null;
    long started = 0;
    while (attributes.next()) {
      switch (attributes.type()) {
        case TUPLE_ORIGINAL -> original = tuple(attributes.nested());
        case TUPLE_REPLY -> reply = tuple(attributes.nested());
        case STATUS -> status = attributes.be32();
        case TIMEOUT -> timeout = attributes.be32();
        case MARK -> mark = attributes.be32();
        case ID -> id = attributes.be32();
        case ZONE -> zone = attributes.be16();
        case PROTOCOL_INFO -> tcpState = tcpState(attributes.nested());
        case COUNTERS_ORIGINAL -> sent = volume(attributes.nested());
        case COUNTERS_REPLY -> answered = volume(attributes.nested());
        case TIMESTAMP -> started = started(attributes.nested());
        default -> {}
      }
    }
    if (original == null || reply == null) {
      throw new MalformedMessageException("a tracked connection without both directions");
    }
    return new ConntrackEntry(
        original, reply, status, timeout, mark, id, zone, tcpState, sent, answered, started);
  }

  private static int tcpState(NetlinkAttributeReader protocol) {
    while (protocol.next()) {
      if (protocol.type() == PROTOCOL_INFO_TCP) {
        NetlinkAttributeReader tcp = protocol.nested();
        while (tcp.next()) {
          if (tcp.type() == TCP_STATE) {
            return tcp.u8();
          }
        }
      }
    }
    return 0;
  }

  private static ConntrackEntry.Volume volume(NetlinkAttributeReader counters) {
    long packets = 0;
    long bytes = 0;
    while (counters.next()) {
      switch (counters.type()) {
        case COUNTER_PACKETS -> packets = counters.be64();
        case COUNTER_BYTES -> bytes = counters.be64();
        default -> {}
      }
    }
    return new ConntrackEntry.Volume(packets, bytes);
  }

  private static long started(NetlinkAttributeReader times) {
    while (times.next()) {
      if (times.type() == TIMESTAMP_START) {
        return times.be64();
      }
    }
    return 0;
  }

  private static ConntrackTuple tuple(NetlinkAttributeReader attributes) {
    InetAddress source = null;
    InetAddress destination = null;
    int protocol = 0;
    int sourcePort = 0;
    int destinationPort = 0;
    while (attributes.next()) {
      NetlinkAttributeReader nested = attributes.nested();
      switch (attributes.type()) {
        case TUPLE_IP -> {
          while (nested.next()) {
            switch (nested.type()) {
              case IP_V4_SOURCE, IP_V6_SOURCE -> source = address(nested.bytes());
              case IP_V4_DESTINATION, IP_V6_DESTINATION -> destination = address(nested.bytes());
              default -> {}
            }
          }
        }
        case TUPLE_PROTOCOL -> {
          while (nested.next()) {
            switch (nested.type()) {
              case PROTOCOL_NUMBER -> protocol = nested.u8();
              case PROTOCOL_SOURCE_PORT -> sourcePort = nested.be16();
              case PROTOCOL_DESTINATION_PORT -> destinationPort = nested.be16();
              default -> {}
            }
          }
        }
        default -> {}
      }
    }
    if (source == null || destination == null) {
      throw new MalformedMessageException("a tracked connection without addresses");
    }
    return new ConntrackTuple(source, destination, protocol, sourcePort, destinationPort);
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new MalformedMessageException("an address of " + bytes.length + " bytes");
    }
  }

  /// What names one entry in a request to delete it.
  static void identity(NetlinkMessageWriter out, ConntrackEntry entry) {
    tuple(out, TUPLE_ORIGINAL, entry.original());
    tuple(out, TUPLE_REPLY, entry.reply());
    zone(out, entry.zone());
    if (entry.id() != 0) {
      out.be32(ID, entry.id());
    }
  }

  static void zone(NetlinkMessageWriter out, int zone) {
    if (zone != 0) {
      out.be16(ZONE, zone);
    }
  }

  static void tuple(NetlinkMessageWriter out, int type, ConntrackTuple tuple) {
    byte[] source = tuple.source().getAddress();
    boolean ipv4 = source.length == 4;
    int start = out.nest(type);
    int ip = out.nest(TUPLE_IP);
    out.bytes(ipv4 ? IP_V4_SOURCE : IP_V6_SOURCE, source);
    out.bytes(ipv4 ? IP_V4_DESTINATION : IP_V6_DESTINATION, tuple.destination().getAddress());
    out.close(ip);
    int protocol = out.nest(TUPLE_PROTOCOL);
    out.u8(PROTOCOL_NUMBER, tuple.protocol());
    out.be16(PROTOCOL_SOURCE_PORT, tuple.sourcePort());
    out.be16(PROTOCOL_DESTINATION_PORT, tuple.destinationPort());
    out.close(protocol);
    out.close(start);
  }

  /// Asks the kernel for only what a filter lets through. Kernels before 5.8 list everything.
  static void filter(NetlinkMessageWriter out, ConntrackFilter filter) {
    if (filter.status() != 0) {
      out.be32(STATUS, filter.status());
      out.be32(STATUS_MASK, filter.status());
    }
    int original =
        partialTuple(
            out,
            TUPLE_ORIGINAL,
            filter.destination(),
            filter.protocol(),
            filter.destinationPort(),
            Side.DESTINATION);
    int reply =
        filter.replySource() == null && filter.replySourcePort() == 0
            ? 0
            : partialTuple(
                out,
                TUPLE_REPLY,
                filter.replySource(),
                filter.protocol(),
                filter.replySourcePort(),
                Side.SOURCE);
    if (original == 0 && reply == 0) {
      return;
    }
    int nest = out.nest(FILTER);
    out.u32(FILTER_ORIGINAL, original);
    out.u32(FILTER_REPLY, reply);
    out.close(nest);
  }

  /// An end of a direction: the attributes of its address and port, and the bits that say they
  /// count.
  private enum Side {
    SOURCE(IP_V4_SOURCE, PROTOCOL_SOURCE_PORT, FILTER_BY_SOURCE, FILTER_BY_SOURCE_PORT),
    DESTINATION(
        IP_V4_DESTINATION,
        PROTOCOL_DESTINATION_PORT,
        FILTER_BY_DESTINATION,
        FILTER_BY_DESTINATION_PORT);

    final int v4;
    final int port;
    final int byAddress;
    final int byPort;

    Side(int v4, int port, int byAddress, int byPort) {
      this.v4 = v4;
      this.port = port;
      this.byAddress = byAddress;
      this.byPort = byPort;
    }
  }

  /// What is known of one direction; returns the bits that say so, 0 when nothing is. Without
  /// addresses of IPv6: kernels up to 6.18 at least let through all but the one that is asked for.
  private static int partialTuple(
      NetlinkMessageWriter out,
      int attribute,
      @Nullable InetAddress address,
      int protocol,
      int port,
      Side side) {
    InetAddress sent = address instanceof Inet4Address ? address : null;
    if (sent == null && protocol == 0) {
      return 0;
    }
    int flags = 0;
    int tuple = out.nest(attribute);
    if (sent != null) {
      int ip = out.nest(TUPLE_IP);
      out.bytes(side.v4, sent.getAddress());
      out.close(ip);
      flags |= side.byAddress;
    }
    if (protocol != 0) {
      int nested = out.nest(TUPLE_PROTOCOL);
      out.u8(PROTOCOL_NUMBER, protocol);
      flags |= FILTER_BY_PROTOCOL;
      if (port != 0) {
        out.be16(side.port, port);
        flags |= side.byPort;
      }
      out.close(nested);
    }
    out.close(tuple);
    return flags;
  }
}
