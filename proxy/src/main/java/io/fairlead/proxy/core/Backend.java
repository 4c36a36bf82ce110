package io.fairlead.proxy.core;

import io.fairlead.api.net.IpAddress;
import java.util.Set;

/// One endpoint of a service port with the facts that decide whether it is used.
///
/// @param local it is on this node
/// @param ready it takes traffic
/// @param serving it still answers, even when it is terminating
/// @param zones the zones it is hinted to; empty for no hint
/// @param nodes the nodes it is hinted to; empty for no hint
public record Backend(
    IpAddress address,
    int port,
    boolean local,
    boolean ready,
    boolean serving,
    boolean terminating,
    Set<String> zones,
    Set<String> nodes) {

  public Backend {
    zones = Set.copyOf(zones);
    nodes = Set.copyOf(nodes);
  }

  /// A ready endpoint without hints.
  public static Backend ready(IpAddress address, int port, boolean local) {
    return new Backend(address, port, local, true, true, false, Set.of(), Set.of());
  }

  /// `10.0.0.1:80` or `[fd00::1]:80`.
  public String text() {
    return address.isIpv4() ? address + ":" + port : "[" + address + "]:" + port;
  }

  /// Whether it can stand in when no ready endpoint is left.
  public boolean servesWhileTerminating() {
    return serving && terminating;
  }
}
