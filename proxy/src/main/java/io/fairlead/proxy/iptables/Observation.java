package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Observed;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the tables with their counters. The nat table sees the first packet of a connection only,
/// so a service port's packets are its new connections.
final class Observation {
  private Observation() {}

  static Observed read(RuleTool tool, @Nullable Plan plan, IptablesSettings settings) {
    String nat = tool.saveWithCounters(FixedRules.NAT);
    String listing = tool.saveWithCounters(FixedRules.FILTER) + nat;
    if (plan == null) {
      return new Observed(listing, Map.of(), Map.of());
    }
    Map<String, Observed.Traffic> byChain = rewrites(nat);
    Map<ServicePortName, Observed.Traffic> traffic = new HashMap<>();
    plan.services().forEach((name, service) -> traffic.put(name, sum(service, byChain, settings)));
    return new Observed(listing, traffic, Map.of());
  }

  private static Observed.Traffic sum(
      ServicePlan service, Map<String, Observed.Traffic> byChain, IptablesSettings settings) {
    long packets = 0;
    long bytes = 0;
    for (Backend endpoint : service.choice().all()) {
      String chain =
          ChainNames.ENDPOINT
              + ChainNames.endpoint(settings.names(), service.name(), endpoint.text());
      Observed.Traffic counted = byChain.get(chain);
      if (counted != null) {
        packets += counted.packets();
        bytes += counted.bytes();
      }
    }
    return new Observed.Traffic(packets, bytes);
  }

  /// The counters of the rule that rewrites the destination, by endpoint chain.
  private static Map<String, Observed.Traffic> rewrites(String nat) {
    Map<String, Observed.Traffic> byChain = new HashMap<>();
    for (String line : (Iterable<String>) nat.lines()::iterator) {
      if (line.startsWith("[") && line.contains("-A " + ChainNames.ENDPOINT)) {
        List<String> words = RuleText.words(line);
        if (words.contains("DNAT")) {
          String counter = words.getFirst();
          int colon = counter.indexOf(':');
          byChain.put(
              words.get(2),
              new Observed.Traffic(
                  Long.parseLong(counter, 1, colon, 10),
                  Long.parseLong(counter, colon + 1, counter.length() - 1, 10)));
        }
      }
    }
    return byChain;
  }
}
