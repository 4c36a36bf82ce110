package io.fairlead.kernel.socket;

import java.net.InetAddress;

/// A socket that takes connections or datagrams.
///
/// @param protocol the number in the IP header
/// @param address the unspecified one for every address
/// @param onlyIpv6 whether one for every address of IPv6 leaves IPv4 alone
/// @param waiting how many connections wait to be accepted; for UDP how many bytes wait to be read
/// @param backlog how many connections may wait; 0 for UDP
/// @param inode the number under which `/proc/PID/fd` shows it
public record ListeningSocket(
    int protocol,
    InetAddress address,
    int port,
    boolean onlyIpv6,
    int waiting,
    int backlog,
    long inode) {
  public static final int TCP = 6;
  public static final int UDP = 17;
}
