package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.IpvsChange;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Keeps what we know of the kernel in step with what was written to it.
final class InstalledStateUpdater {
  private InstalledStateUpdater() {}

  static void follow(
      InstalledIpvsState installed,
      IpvsChangeSet step,
      Map<String, Map<String, List<String>>> chains) {
    step.enter().forEach(line -> entry(installed, line));
    step.leave().forEach(line -> entry(installed, line));
    step.additions().forEach(change -> server(installed.servers, change));
    step.removals().forEach(change -> server(installed.servers, change));
    installed.bound.addAll(step.bind());
    step.unbind().forEach(installed.bound::remove);
    chains.forEach((table, each) -> installed.chains.put(table, new HashMap<>(each)));
  }

  /// `add NAME ENTRY`, `del NAME ENTRY` or `create NAME TYPE …`.
  private static void entry(InstalledIpvsState installed, String line) {
    String[] words = line.split(" ");
    for (SetKind set : SetKind.values()) {
      if (set.name(IpAddress.Family.IPV4).equals(words[1])
          || set.name(IpAddress.Family.IPV6).equals(words[1])) {
        Set<String> entries = installed.entries.computeIfAbsent(set, _ -> new HashSet<>());
        switch (words[0]) {
          case "add" -> entries.add(words[2]);
          case "del" -> entries.remove(words[2]);
          default -> {}
        }
        return;
      }
    }
  }

  private static void server(
      Map<VirtualServerAddress, InstalledIpvsState.Server> servers, IpvsChange change) {
    switch (change) {
      case IpvsChange.AddServer(VirtualServer server) ->
          servers.put(
              server.endpoint(), new InstalledIpvsState.Server(server, List.of(), Set.of()));
      case IpvsChange.SetServer(VirtualServer server) ->
          servers.computeIfPresent(
              server.endpoint(),
              (_, there) -> new InstalledIpvsState.Server(server, there.reals(), there.busy()));
      case IpvsChange.DeleteServer(VirtualServerAddress endpoint) -> servers.remove(endpoint);
      case IpvsChange.AddReal(VirtualServer server, RealServer real) ->
          real(servers, server, real, true);
      case IpvsChange.SetReal(VirtualServer server, RealServer real) ->
          real(servers, server, real, true);
      case IpvsChange.DeleteReal(VirtualServer server, RealServer real) ->
          real(servers, server, real, false);
    }
  }

  private static void real(
      Map<VirtualServerAddress, InstalledIpvsState.Server> servers,
      VirtualServer server,
      RealServer real,
      boolean stays) {
    InstalledIpvsState.Server there = servers.get(server.endpoint());
    if (there == null) {
      return;
    }
    there.reals().removeIf(real::samePlace);
    if (stays) {
      there.reals().add(real);
    }
  }
}
