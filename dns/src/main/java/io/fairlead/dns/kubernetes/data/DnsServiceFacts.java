package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.List;

/// What names need of a Service.
///
/// @param addresses its cluster addresses; none for other kinds and while none is assigned
/// @param externalName empty for other kinds
/// @param externalAddresses those reachable from outside, for `k8s_external`
public record DnsServiceFacts(
    ObjectKey key,
    Kind kind,
    List<IpAddress> addresses,
    List<PortFacts> ports,
    String externalName,
    List<IpAddress> externalAddresses)
    implements DnsFacts {
  /// What decides how a Service is named.
  public enum Kind {
    CLUSTER_IP,
    HEADLESS,
    EXTERNAL_NAME,
    /// It has no address yet (spec/dns.md Q16).
    PENDING
  }

  public DnsServiceFacts {
    addresses = List.copyOf(addresses);
    ports = List.copyOf(ports);
    externalAddresses = List.copyOf(externalAddresses);
  }

  boolean sameNames(DnsServiceFacts other) {
    return kind == other.kind
        && addresses.equals(other.addresses)
        && ports.equals(other.ports)
        && externalName.equals(other.externalName)
        && externalAddresses.equals(other.externalAddresses);
  }
}
