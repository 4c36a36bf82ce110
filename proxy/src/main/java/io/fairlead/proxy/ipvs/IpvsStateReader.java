package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.ListedRealServer;
import io.fairlead.kernel.ipvs.ListedVirtualServer;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads what is in the kernel, in one family.
///
/// @param family whose
record IpvsStateReader(IpvsBackends backends, IpAddress.Family family) {

  InstalledIpvsState everything() {
    InstalledIpvsState installed = new InstalledIpvsState();
    for (ListedVirtualServer listed : servers()) {
      VirtualServerAddress endpoint = listed.server().endpoint();
      List<ListedRealServer> reals = backends.servers().realServers(endpoint);
      installed.servers.put(
          endpoint,
          new InstalledIpvsState.Server(
              listed.server(), reals.stream().map(ListedRealServer::server).toList(), busy(reals)));
    }
    installed.bound.addAll(backends.device().addresses());
    SetListing.parse(backends.sets().save(), family)
        .forEach((set, entries) -> installed.entries.put(set, new HashSet<>(entries)));
    SavedIptables tables = SavedIptables.read(backends.rules());
    installed.chains.putAll(tables.chains());
    installed.jumps.addAll(tables.jumps());
    return installed;
  }

  /// The virtual servers of the family.
  List<ListedVirtualServer> servers() {
    return backends.servers().servers().stream()
        .filter(listed -> address(listed.server().endpoint()).family() == family)
        .toList();
  }

  static IpAddress address(VirtualServerAddress endpoint) {
    return IpAddress.ofBytes(endpoint.address().getAddress());
  }

  /// Those of a virtual server's real servers that have connections.
  Set<RealServer> busy(VirtualServerAddress endpoint) {
    return busy(backends.servers().realServers(endpoint));
  }

  private static Set<RealServer> busy(List<ListedRealServer> reals) {
    return reals.stream()
        .filter(real -> real.connections() > 0)
        .map(ListedRealServer::server)
        .collect(Collectors.toSet());
  }
}
