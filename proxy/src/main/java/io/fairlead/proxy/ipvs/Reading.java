package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.Endpoint;
import io.fairlead.kernel.ipvs.ListedReal;
import io.fairlead.kernel.ipvs.ListedServer;
import io.fairlead.kernel.ipvs.RealServer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads what is in the kernel, in one family.
///
/// @param family whose
record Reading(Doors doors, IpAddress.Family family) {

  Installed everything() {
    Installed installed = new Installed();
    for (ListedServer listed : servers()) {
      Endpoint endpoint = listed.server().endpoint();
      List<ListedReal> reals = doors.servers().realServers(endpoint);
      installed.servers.put(
          endpoint,
          new Installed.Server(
              listed.server(), reals.stream().map(ListedReal::server).toList(), busy(reals)));
    }
    installed.bound.addAll(doors.device().addresses());
    SetListing.parse(doors.sets().save(), family)
        .forEach((set, entries) -> installed.entries.put(set, new HashSet<>(entries)));
    Tables tables = Tables.read(doors.rules());
    installed.chains.putAll(tables.chains());
    installed.jumps.addAll(tables.jumps());
    return installed;
  }

  /// The virtual servers of the family.
  List<ListedServer> servers() {
    return doors.servers().servers().stream()
        .filter(listed -> address(listed.server().endpoint()).family() == family)
        .toList();
  }

  static IpAddress address(Endpoint endpoint) {
    return IpAddress.ofBytes(endpoint.address().getAddress());
  }

  /// Those of a virtual server's real servers that have connections.
  Set<RealServer> busy(Endpoint endpoint) {
    return busy(doors.servers().realServers(endpoint));
  }

  private static Set<RealServer> busy(List<ListedReal> reals) {
    return reals.stream()
        .filter(real -> real.connections() > 0)
        .map(ListedReal::server)
        .collect(Collectors.toSet());
  }
}
