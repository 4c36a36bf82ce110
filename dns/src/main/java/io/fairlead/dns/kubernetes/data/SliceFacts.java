package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.ObjectKey;
import java.util.List;

/// What names need of an EndpointSlice: only its ready addresses.
///
/// @param service whose slice it is; an empty name when it belongs to none
/// @param ports of all its endpoints
/// @param changedAt when the change behind it happened, in milliseconds; 0 when it does not say
/// @param ignored it holds names, not addresses (spec/dns.md Q17)
public record SliceFacts(
    ObjectKey key,
    ObjectKey service,
    List<PortFacts> ports,
    List<EndpointFacts> endpoints,
    long changedAt,
    boolean ignored)
    implements DnsFacts {
  public SliceFacts {
    ports = List.copyOf(ports);
    endpoints = SliceEndpoints.of(endpoints);
  }

  boolean sameNames(SliceFacts other) {
    return service.equals(other.service)
        && ignored == other.ignored
        && ports.equals(other.ports)
        && endpoints.equals(other.endpoints);
  }
}
