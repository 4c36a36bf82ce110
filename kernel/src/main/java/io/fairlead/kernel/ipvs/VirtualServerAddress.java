package io.fairlead.kernel.ipvs;

import java.net.InetAddress;

/// Where a virtual server is called.
///
/// @param protocol the number in the IP header: 6 TCP, 17 UDP, 132 SCTP
public record VirtualServerAddress(InetAddress address, int port, int protocol) {
  static final int IPV4 = 2;
  static final int IPV6 = 10;

  public VirtualServerAddress {
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException(port + ": no such port");
    }
  }

  /// `AF_INET` or `AF_INET6`.
  int family() {
    return address.getAddress().length == 4 ? IPV4 : IPV6;
  }

  /// The protocol's name, or its number where it has none here.
  public String protocolName() {
    return switch (protocol) {
      case 6 -> "tcp";
      case 17 -> "udp";
      case 132 -> "sctp";
      default -> String.valueOf(protocol);
    };
  }

  /// `tcp 10.96.0.1:443`.
  @Override
  public String toString() {
    return protocolName() + " " + text(address, port);
  }

  static String text(InetAddress address, int port) {
    return family6(address)
        ? "[" + address.getHostAddress() + "]:" + port
        : address.getHostAddress() + ":" + port;
  }

  private static boolean family6(InetAddress address) {
    return address.getAddress().length != 4;
  }
}
