package io.fairlead.kernel.route;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Where packets to a destination are sent.
///
/// @param destination a prefix of length 0 is the default route
/// @param gateway the next machine; null when the destination is on the link
/// @param link the number of the interface, 0 when the gateway tells
/// @param table which routing table, 254 is the main one
public record Route(Prefix destination, @Nullable InetAddress gateway, int link, int table) {
  public static final int MAIN = 254;

  public Route(Prefix destination, @Nullable InetAddress gateway, int link) {
    this(destination, gateway, link, MAIN);
  }
}
