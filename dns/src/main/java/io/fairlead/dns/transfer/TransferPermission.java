package io.fairlead.dns.transfer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DnsZones;
import java.net.InetSocketAddress;
import java.util.List;

/// One `transfer` line.
///
/// @param anybody whether `*` is listed
/// @param servers the addresses listed
record TransferPermission(DnsZones zones, boolean anybody, List<InetSocketAddress> servers) {
  TransferPermission {
    servers = List.copyOf(servers);
  }

  boolean allows(IpAddress client) {
    return anybody
        || servers.stream()
            .anyMatch(
                each ->
                    IpAddress.ofBytes(each.getAddress().getAddress()).equals(client.unmapped()));
  }
}
