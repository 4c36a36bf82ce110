package io.fairlead.agent.routes;

import java.util.Locale;

/// How packets reach pods of other nodes.
public enum RouteMode {
  /// By routes through the nodes, which must be on one network.
  ROUTES,
  /// By VXLAN tunnels between the nodes, over whatever lies between them.
  VXLAN,
  /// By routes where a node is on the same network, else by tunnels.
  AUTO,
  /// Not at all, or by another program.
  NONE;

  /// Whether this node has an end of tunnels.
  public boolean tunnels() {
    return this == VXLAN || this == AUTO;
  }

  /// Reads `routes`, `vxlan`, `auto`, `none`.
  public static RouteMode of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
