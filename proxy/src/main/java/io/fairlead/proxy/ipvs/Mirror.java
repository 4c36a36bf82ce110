package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.Change;
import io.fairlead.kernel.ipvs.Endpoint;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Keeps what we know of the kernel in step with what was written to it.
final class Mirror {
  private Mirror() {}

  static void follow(
      Installed installed, Step step, Map<String, Map<String, List<String>>> chains) {
    step.enter().forEach(line -> entry(installed, line));
    step.leave().forEach(line -> entry(installed, line));
    step.additions().forEach(change -> server(installed.servers, change));
    step.removals().forEach(change -> server(installed.servers, change));
    installed.bound.addAll(step.bind());
    step.unbind().forEach(installed.bound::remove);
    chains.forEach((table, each) -> installed.chains.put(table, new HashMap<>(each)));
  }

  /// `add NAME ENTRY`, `del NAME ENTRY` or `create NAME TYPE …`.
  private static void entry(Installed installed, String line) {
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

  private static void server(Map<Endpoint, Installed.Server> servers, Change change) {
    switch (change) {
      case Change.AddServer(VirtualServer server) ->
          servers.put(server.endpoint(), new Installed.Server(server, List.of(), Set.of()));
      case Change.SetServer(VirtualServer server) ->
          servers.computeIfPresent(
              server.endpoint(),
              (_, there) -> new Installed.Server(server, there.reals(), there.busy()));
      case Change.DeleteServer(Endpoint endpoint) -> servers.remove(endpoint);
      case Change.AddReal(VirtualServer server, RealServer real) ->
          real(servers, server, real, true);
      case Change.SetReal(VirtualServer server, RealServer real) ->
          real(servers, server, real, true);
      case Change.DeleteReal(VirtualServer server, RealServer real) ->
          real(servers, server, real, false);
    }
  }

  private static void real(
      Map<Endpoint, Installed.Server> servers,
      VirtualServer server,
      RealServer real,
      boolean stays) {
    Installed.Server there = servers.get(server.endpoint());
    if (there == null) {
      return;
    }
    there.reals().removeIf(real::samePlace);
    if (stays) {
      there.reals().add(real);
    }
  }
}
