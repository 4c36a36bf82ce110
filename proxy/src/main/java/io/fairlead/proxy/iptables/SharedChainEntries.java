package io.fairlead.proxy.iptables;

import java.util.List;
import java.util.Map;

/// What one service port puts into the shared chains.
///
/// @param natRules how many rules its own chains have, for metrics
/// @param comments whether its own chains were written with comments
record SharedChainEntries(Map<SharedChain, List<String>> rules, int natRules, boolean comments) {
  SharedChainEntries {
    rules = Map.copyOf(rules);
  }

  List<String> of(SharedChain chain) {
    return rules.getOrDefault(chain, List.of());
  }

  int count(String table) {
    return rules.entrySet().stream()
        .filter(entry -> entry.getKey().table().equals(table))
        .mapToInt(entry -> entry.getValue().size())
        .sum();
  }
}
