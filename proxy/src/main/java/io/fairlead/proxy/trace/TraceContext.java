package io.fairlead.proxy.trace;

import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.core.TrafficVerdict;
import java.util.List;
import java.util.Optional;

/// What the proxy of the node knows of the destination.
///
/// @param service `namespace/name:port`, empty when the destination is no front of a Service
/// @param front empty in the same case
/// @param sticky how long a client keeps its endpoint in seconds, 0 for not at all
/// @param relayed what the relay of the userspace mode did for the connection; empty in other modes
public record TraceContext(
    String node,
    ProxyMode mode,
    String service,
    Optional<Frontend> front,
    int sticky,
    Optional<RelayedChoice> relayed) {
  /// Before the connection, or without a relay.
  public TraceContext(
      String node, ProxyMode mode, String service, Optional<Frontend> front, int sticky) {
    this(node, mode, service, front, sticky, Optional.empty());
  }

  /// The same after the relay has carried the connection.
  public TraceContext with(Optional<RelayedChoice> choice) {
    return new TraceContext(node, mode, service, front, sticky, choice);
  }

  /// The endpoints a connection to the front may go to.
  List<Backend> backends() {
    return front
        .map(
            each ->
                each.verdict() instanceof TrafficVerdict.Forward(List<Backend> to, var _)
                    ? to
                    : List.<Backend>of())
        .orElse(List.of());
  }
}
