package io.fairlead.proxy.trace;

import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.TrafficVerdict;
import java.util.List;
import java.util.Optional;

/// What the proxy of the node knows of the destination.
///
/// @param service `namespace/name:port`, empty when the destination is no front of a Service
/// @param front empty in the same case
/// @param sticky how long a client keeps its endpoint in seconds, 0 for not at all
public record TraceContext(
    String node, ProxyMode mode, String service, Optional<Frontend> front, int sticky) {

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
