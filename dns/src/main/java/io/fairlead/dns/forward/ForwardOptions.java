package io.fairlead.dns.forward;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.wire.Name;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What one `forward` line says.
///
/// @param attempts the most tries for one query; 0 for twice the number of upstreams
/// @param serverName for all encrypted upstreams that have none of their own
record ForwardOptions(
    DnsZones from,
    List<UpstreamAddressReader.Destination> to,
    DnsZones except,
    boolean forceTcp,
    boolean preferUdp,
    ForwardPolicy policy,
    int maxFails,
    int attempts,
    int maxConcurrent,
    Probe probe,
    Connections connections,
    Tls tls,
    Set<Integer> next,
    boolean nextOnNodata,
    Set<Integer> failover,
    boolean failFast,
    List<UpstreamAddress> resolvers) {

  /// How a server that failed is tried again.
  record Probe(Duration every, boolean recursion, Name name) {}

  /// How connections are kept.
  ///
  /// @param maxIdle 0 for any number
  /// @param maxAge zero for any age
  record Connections(
      Duration readTimeout,
      Duration expire,
      int maxIdle,
      Duration maxAge,
      @Nullable IpAddress source) {}

  record Tls(Trust trust, ClientIdentity identity, @Nullable String serverName, boolean httpGet) {}
}
