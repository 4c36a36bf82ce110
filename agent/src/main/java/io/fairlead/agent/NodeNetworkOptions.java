package io.fairlead.agent;

import io.fairlead.agent.routes.RouteMode;
import java.nio.file.Path;
import java.util.Optional;

/// How pods of a node are connected.
///
/// @param mode how packets reach pods of other nodes
/// @param plugins settings of CNI plugins for an engine of the agent's own; empty for those the
///   agent writes
public record NodeNetworkOptions(RouteMode mode, Optional<Path> plugins) {
  /// Routes to nodes on the same network.
  public static final NodeNetworkOptions STANDARD =
      new NodeNetworkOptions(RouteMode.ROUTES, Optional.empty());
}
