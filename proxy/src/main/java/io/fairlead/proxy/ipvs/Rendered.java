package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import java.util.List;

/// What one service port asks for.
///
/// @param bound addresses the interface must hold
/// @param blocked rules that keep the node itself from a load balancer address
record Rendered(
    List<Wanted> servers, List<IpAddress> bound, List<Entry> entries, List<String> blocked) {
  static final Rendered NOTHING = new Rendered(List.of(), List.of(), List.of(), List.of());

  Rendered {
    servers = List.copyOf(servers);
    bound = List.copyOf(bound);
    entries = List.copyOf(entries);
    blocked = List.copyOf(blocked);
  }
}
