package io.fairlead.kernel.conntrack;

import java.net.InetAddress;

/// One direction of a connection. Ports are 0 for protocols without them.
///
/// @param protocol the number in the IP header
public record ConntrackTuple(
    InetAddress source,
    InetAddress destination,
    int protocol,
    int sourcePort,
    int destinationPort) {
  public static final int TCP = 6;
  public static final int UDP = 17;
  public static final int SCTP = 132;

  @Override
  public String toString() {
    return protocol
        + " "
        + source.getHostAddress()
        + ":"
        + sourcePort
        + " -> "
        + destination.getHostAddress()
        + ":"
        + destinationPort;
  }
}
