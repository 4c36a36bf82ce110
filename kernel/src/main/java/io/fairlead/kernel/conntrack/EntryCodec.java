package io.fairlead.kernel.conntrack;

import io.fairlead.kernel.netlink.Attributes;
import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.MessageWriter;
import io.fairlead.kernel.netlink.Messages;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// Reads and writes entries; numbers of `linux/netfilter/nfnetlink_conntrack.h`.
final class EntryCodec {
  static final int TUPLE_ORIGINAL = 1;
  private static final int TUPLE_REPLY = 2;
  private static final int STATUS = 3;
  private static final int TIMEOUT = 7;
  private static final int MARK = 8;
  private static final int ID = 12;
  private static final int ZONE = 18;
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
  private static final int FILTER_BY_PROTOCOL = 1 << 3;
  private static final int HEADER = 4;

  private EntryCodec() {}

  static Entry read(Messages message) {
    Attributes attributes = message.attributes(HEADER);
    Tuple original = null;
    Tuple reply = null;
    int status = 0;
    int timeout = 0;
    int mark = 0;
    int id = 0;
    int zone = 0;
    while (attributes.next()) {
      switch (attributes.type()) {
        case TUPLE_ORIGINAL -> original = tuple(attributes.nested());
        case TUPLE_REPLY -> reply = tuple(attributes.nested());
        case STATUS -> status = attributes.be32();
        case TIMEOUT -> timeout = attributes.be32();
        case MARK -> mark = attributes.be32();
        case ID -> id = attributes.be32();
        case ZONE -> zone = attributes.be16();
        default -> {}
      }
    }
    if (original == null || reply == null) {
      throw new MalformedMessageException("a tracked connection without both directions");
    }
    return new Entry(original, reply, status, timeout, mark, id, zone);
  }

  private static Tuple tuple(Attributes attributes) {
    InetAddress source = null;
    InetAddress destination = null;
    int protocol = 0;
    int sourcePort = 0;
    int destinationPort = 0;
    while (attributes.next()) {
      Attributes nested = attributes.nested();
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
    return new Tuple(source, destination, protocol, sourcePort, destinationPort);
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new MalformedMessageException("an address of " + bytes.length + " bytes");
    }
  }

  /// What names one entry in a request to delete it.
  static void identity(MessageWriter out, Entry entry) {
    tuple(out, TUPLE_ORIGINAL, entry.original());
    tuple(out, TUPLE_REPLY, entry.reply());
    if (entry.zone() != 0) {
      out.be16(ZONE, entry.zone());
    }
    if (entry.id() != 0) {
      out.be32(ID, entry.id());
    }
  }

  static void tuple(MessageWriter out, int type, Tuple tuple) {
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

  /// Asks the kernel to list entries of one protocol only. Kernels before 5.8 list everything.
  static void onlyProtocol(MessageWriter out, int protocol) {
    int tuple = out.nest(TUPLE_ORIGINAL);
    int nested = out.nest(TUPLE_PROTOCOL);
    out.u8(PROTOCOL_NUMBER, protocol);
    out.close(nested);
    out.close(tuple);
    int filter = out.nest(FILTER);
    out.u32(FILTER_ORIGINAL, FILTER_BY_PROTOCOL);
    out.u32(FILTER_REPLY, 0);
    out.close(filter);
  }
}
