package io.fairlead.proxy.iptables;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One table as `iptables-save` printed it, as far as it concerns us: our chains, and rules of ours
/// in other chains.
///
/// @param chains the rules of each chain whose name begins with `KUBE-`, in normal form
/// @param foreign rules of ours in other chains, most of which jump to such a chain
record SavedTable(Map<String, List<String>> chains, List<Foreign> foreign) {

  /// @param text the rule as printed, without `-A CHAIN`
  record Foreign(String chain, String text, String normal) {}

  static SavedTable parse(String listing) {
    Map<String, List<String>> chains = new LinkedHashMap<>();
    List<Foreign> foreign = new ArrayList<>();
    for (String line : (Iterable<String>) listing.lines()::iterator) {
      if (line.startsWith(":KUBE-")) {
        chains.computeIfAbsent(line.substring(1, line.indexOf(' ')), _ -> new ArrayList<>());
      } else if (line.startsWith("-A ")) {
        int end = line.indexOf(' ', 3);
        String chain = end < 0 ? line.substring(3) : line.substring(3, end);
        String rule = end < 0 ? "" : line.substring(end + 1);
        if (chain.startsWith("KUBE-")) {
          chains.computeIfAbsent(chain, _ -> new ArrayList<>()).add(RuleNormalizer.normal(rule));
        } else if (rule.contains("-j KUBE-") || rule.contains(FixedRules.GUARD)) {
          foreign.add(new Foreign(chain, rule, RuleNormalizer.normal(rule)));
        }
      }
    }
    return new SavedTable(chains, foreign);
  }

  boolean jumps(FixedRules.Jump jump) {
    String wanted = RuleNormalizer.normal(jump.rule());
    return foreign.stream()
        .anyMatch(rule -> rule.chain().equals(jump.from()) && rule.normal().equals(wanted));
  }
}
