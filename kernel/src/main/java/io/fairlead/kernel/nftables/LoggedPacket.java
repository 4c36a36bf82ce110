package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.MalformedMessageException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/// A packet that a rule logged, as far as its headers say.
///
/// @param prefix what the rule wrote before it
/// @param protocol the number behind all IPv6 extension headers
/// @param sourcePort 0 for protocols without ports, and for fragments
public record LoggedPacket(
    String prefix,
    InetAddress source,
    InetAddress destination,
    int protocol,
    int sourcePort,
    int destinationPort) {

  private static final int V4_HEADER = 20;
  private static final int V6_HEADER = 40;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int SCTP = 132;
  private static final int HOP_BY_HOP = 0;
  private static final int ROUTING = 43;
  private static final int FRAGMENT = 44;
  private static final int DESTINATION_OPTIONS = 60;

  /// Reads the headers of a packet that begins with the one of the network.
  static LoggedPacket of(String prefix, byte[] packet) {
    int version = packet.length == 0 ? 0 : (packet[0] & 0xff) >> 4;
    if (version == 4 && packet.length >= V4_HEADER) {
      int header = (packet[0] & 0xf) * 4;
      boolean first = (short16(packet, 6) & 0x1fff) == 0;
      return transport(prefix, packet, 12, 4, packet[9] & 0xff, first ? header : packet.length);
    }
    if (version == 6 && packet.length >= V6_HEADER) {
      return version6(prefix, packet);
    }
    throw new MalformedMessageException("a logged packet that is neither IPv4 nor IPv6");
  }

  private static LoggedPacket version6(String prefix, byte[] packet) {
    int protocol = packet[6] & 0xff;
    int at = V6_HEADER;
    while (isExtension(protocol) && at + 8 <= packet.length) {
      boolean laterFragment = protocol == FRAGMENT && (short16(packet, at + 2) & 0xfff8) != 0;
      int length = protocol == FRAGMENT ? 8 : ((packet[at + 1] & 0xff) + 1) * 8;
      protocol = packet[at] & 0xff;
      at = laterFragment ? packet.length : at + length;
    }
    return transport(prefix, packet, 8, 16, protocol, at);
  }

  private static boolean isExtension(int protocol) {
    return protocol == HOP_BY_HOP
        || protocol == ROUTING
        || protocol == FRAGMENT
        || protocol == DESTINATION_OPTIONS;
  }

  private static LoggedPacket transport(
      String prefix, byte[] packet, int addresses, int length, int protocol, int at) {
    boolean ports =
        (protocol == TCP || protocol == UDP || protocol == SCTP) && at + 4 <= packet.length;
    return new LoggedPacket(
        prefix,
        address(packet, addresses, length),
        address(packet, addresses + length, length),
        protocol,
        ports ? short16(packet, at) : 0,
        ports ? short16(packet, at + 2) : 0);
  }

  private static int short16(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  private static InetAddress address(byte[] packet, int from, int length) {
    try {
      return InetAddress.getByAddress(Arrays.copyOfRange(packet, from, from + length));
    } catch (UnknownHostException e) {
      throw new MalformedMessageException("an address of " + length + " bytes");
    }
  }
}
