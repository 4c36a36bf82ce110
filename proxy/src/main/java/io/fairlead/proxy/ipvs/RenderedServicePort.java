package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import java.util.List;

/// What one service port asks for.
///
/// @param bound addresses the interface must hold
/// @param blocked rules that keep the node itself from a load balancer address
record RenderedServicePort(
    List<DesiredVirtualServer> servers,
    List<IpAddress> bound,
    List<IpsetEntry> entries,
    List<String> blocked) {
  static final RenderedServicePort NOTHING =
      new RenderedServicePort(List.of(), List.of(), List.of(), List.of());

  RenderedServicePort {
    servers = List.copyOf(servers);
    bound = List.copyOf(bound);
    entries = List.copyOf(entries);
    blocked = List.copyOf(blocked);
  }
}
