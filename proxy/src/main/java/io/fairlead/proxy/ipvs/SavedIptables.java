package io.fairlead.proxy.ipvs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The chains whose names begin with `KUBE-` in each table, and rules of other chains that lead
/// there, as `iptables-save` prints them.
///
/// @param chains by table and chain, the rules without `-A CHAIN`
record SavedIptables(Map<String, Map<String, List<String>>> chains, List<Jump> jumps) {
  static final String NAT = "nat";
  static final String FILTER = "filter";
  static final List<String> BOTH = List.of(NAT, FILTER);

  /// A rule of a chain that is not ours.
  record Jump(String table, String from, String rule) {}

  static SavedIptables read(IptablesRestoreRunner tool) {
    Map<String, Map<String, List<String>>> chains = new LinkedHashMap<>();
    List<Jump> jumps = new ArrayList<>();
    for (String table : BOTH) {
      Map<String, List<String>> found = new LinkedHashMap<>();
      chains.put(table, found);
      for (String line : (Iterable<String>) tool.save(table).lines()::iterator) {
        if (line.startsWith(":KUBE-")) {
          found.computeIfAbsent(line.substring(1, line.indexOf(' ')), _ -> new ArrayList<>());
        } else if (line.startsWith("-A ")) {
          int end = line.indexOf(' ', 3);
          String chain = line.substring(3, end < 0 ? line.length() : end);
          String rule = end < 0 ? "" : line.substring(end + 1).stripTrailing();
          if (chain.startsWith("KUBE-")) {
            found.computeIfAbsent(chain, _ -> new ArrayList<>()).add(rule);
          } else if (rule.contains("-j KUBE-")) {
            jumps.add(new Jump(table, chain, rule));
          }
        }
      }
    }
    return new SavedIptables(chains, jumps);
  }

  Map<String, List<String>> chains(String table) {
    return chains.getOrDefault(table, Map.of());
  }
}
