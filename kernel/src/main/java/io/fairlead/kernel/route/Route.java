package io.fairlead.kernel.route;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Where packets to a destination are sent.
///
/// @param destination a prefix of length 0 is the default route
/// @param gateway the next machine; null when the destination is on the link
/// @param link the number of the interface, 0 when it follows from the gateway
/// @param table which routing table, 254 is the main one
/// @param protocol who made it: a number that routes are told apart by
/// @param onLink whether the gateway is believed to be on the link though no route says so
public record Route(
    IpPrefix destination,
    @Nullable InetAddress gateway,
    int link,
    int table,
    int protocol,
    boolean onLink) {
  public static final int MAIN = 254;

  /// The table of addresses of this machine itself: packets to a route of it are delivered here.
  public static final int LOCAL = 255;

  /// `RTPROT_BOOT`: made by hand, as by `ip`.
  public static final int BY_HAND = 3;

  public Route(IpPrefix destination, @Nullable InetAddress gateway, int link, int table) {
    this(destination, gateway, link, table, BY_HAND, false);
  }

  public Route(IpPrefix destination, @Nullable InetAddress gateway, int link) {
    this(destination, gateway, link, MAIN);
  }
}
