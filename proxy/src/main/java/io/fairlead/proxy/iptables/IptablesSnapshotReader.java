package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlaneSnapshot;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the tables with their counters. The nat table sees the first packet of a connection only,
/// so a service port's packets are its new connections.
final class IptablesSnapshotReader {
  private IptablesSnapshotReader() {}

  static DataPlaneSnapshot read(
      IptablesRunner tool, @Nullable Plan plan, IptablesSettings settings) {
    String nat = tool.saveWithCounters(FixedRules.NAT);
    String listing = tool.saveWithCounters(FixedRules.FILTER) + nat;
    if (plan == null) {
      return new DataPlaneSnapshot(listing, Map.of(), Map.of());
    }
    Map<String, DataPlaneSnapshot.Traffic> byChain = rewrites(nat);
    Map<ServicePortName, DataPlaneSnapshot.Traffic> traffic = new HashMap<>();
    plan.services().forEach((name, service) -> traffic.put(name, sum(service, byChain, settings)));
    return new DataPlaneSnapshot(listing, traffic, Map.of());
  }

  private static DataPlaneSnapshot.Traffic sum(
      ServicePlan service,
      Map<String, DataPlaneSnapshot.Traffic> byChain,
      IptablesSettings settings) {
    long packets = 0;
    long bytes = 0;
    for (Backend endpoint : service.choice().all()) {
      String chain =
          ChainNames.ENDPOINT
              + ChainNames.endpoint(settings.names(), service.name(), endpoint.text());
      DataPlaneSnapshot.Traffic counted = byChain.get(chain);
      if (counted != null) {
        packets += counted.packets();
        bytes += counted.bytes();
      }
    }
    return new DataPlaneSnapshot.Traffic(packets, bytes);
  }

  /// The counters of the rule that rewrites the destination, by endpoint chain.
  private static Map<String, DataPlaneSnapshot.Traffic> rewrites(String nat) {
    Map<String, DataPlaneSnapshot.Traffic> byChain = new HashMap<>();
    for (String line : (Iterable<String>) nat.lines()::iterator) {
      if (line.startsWith("[") && line.contains("-A " + ChainNames.ENDPOINT)) {
        List<String> words = RuleNormalizer.words(line);
        if (words.contains("DNAT")) {
          String counter = words.getFirst();
          int colon = counter.indexOf(':');
          byChain.put(
              words.get(2),
              new DataPlaneSnapshot.Traffic(
                  Long.parseLong(counter, 1, colon, 10),
                  Long.parseLong(counter, colon + 1, counter.length() - 1, 10)));
        }
      }
    }
    return byChain;
  }
}
