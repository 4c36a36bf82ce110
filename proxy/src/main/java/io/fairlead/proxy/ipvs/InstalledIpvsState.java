package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What is in the kernel, as far as we know: read when everything is looked at, kept in step with
/// what is written. Owned by the plane's thread.
final class InstalledIpvsState {
  /// A virtual server and its real ones; those of weight 0 take no new connections.
  ///
  /// @param busy real servers that had connections when they were listed
  record Server(VirtualServer server, List<RealServer> reals, Set<RealServer> busy) {
    Server {
      reals = new ArrayList<>(reals);
    }
  }

  final Map<VirtualServerAddress, Server> servers = new HashMap<>();
  final Set<IpAddress> bound = new HashSet<>();
  final Map<SetKind, Set<String>> entries = new EnumMap<>(SetKind.class);
  final Map<String, Map<String, List<String>>> chains = new HashMap<>();
  final Set<SavedIptables.Jump> jumps = new HashSet<>();

  /// How many real servers only wait for their connections to end.
  long leaving() {
    return servers.values().stream()
        .flatMap(server -> server.reals.stream())
        .filter(real -> real.weight() == 0)
        .count();
  }

  boolean has(IpsetEntry entry) {
    return entries.getOrDefault(entry.set(), Set.of()).contains(entry.text());
  }
}
