package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.MalformedMessageException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// What the headers of a traced packet say.
///
/// @param identification of IPv4, or the flow label of IPv6: it stays while the packet is
///   translated
/// @param sourcePort 0 where the event has no transport header
/// @param sequence of TCP, 0 otherwise
public record PacketHeaders(
    InetAddress source,
    InetAddress destination,
    int protocol,
    int identification,
    int sourcePort,
    int destinationPort,
    int sequence) {

  private static final int V4_LENGTH = 20;
  private static final int V6_LENGTH = 40;
  private static final int TCP = 6;
  private static final int TCP_SEQUENCE_END = 8;

  /// Reads the headers of an event that has them.
  ///
  /// @throws MalformedMessageException when they are cut short
  static PacketHeaders of(NftData network, NftData transport) {
    int version = network.length() == 0 ? 0 : (network.at(0) & 0xff) >> 4;
    if (version == 4 && network.length() >= V4_LENGTH) {
      return of(network, 12, 4, network.at(9) & 0xff, number(network, 4, 2), transport);
    }
    if (version == 6 && network.length() >= V6_LENGTH) {
      int label = number(network, 0, 4) & 0xfffff;
      return of(network, 8, 16, network.at(6) & 0xff, label, transport);
    }
    throw new MalformedMessageException("a traced packet that is neither IPv4 nor IPv6");
  }

  private static PacketHeaders of(
      NftData network, int at, int length, int protocol, int identification, NftData transport) {
    boolean ports = transport.length() >= 4;
    boolean sequence = protocol == TCP && transport.length() >= TCP_SEQUENCE_END;
    return new PacketHeaders(
        address(network.slice(at, length)),
        address(network.slice(at + length, length)),
        protocol,
        identification,
        ports ? number(transport, 0, 2) : 0,
        ports ? number(transport, 2, 2) : 0,
        sequence ? number(transport, 4, 4) : 0);
  }

  /// Whether both are of one packet, which may have been translated in between.
  boolean isOfOnePacket(PacketHeaders other) {
    return protocol == other.protocol
        && identification == other.identification
        && sequence == other.sequence;
  }

  private static int number(NftData data, int from, int length) {
    int value = 0;
    for (int i = from; i < from + length; i++) {
      value = (value << 8) | (data.at(i) & 0xff);
    }
    return value;
  }

  private static InetAddress address(NftData bytes) {
    try {
      byte[] array = bytes.toByteArray();
      return array.length == 16
          ? Inet6Address.getByAddress(null, array, -1)
          : InetAddress.getByAddress(array);
    } catch (UnknownHostException e) {
      throw new MalformedMessageException("an address of " + bytes.length() + " bytes");
    }
  }
}
