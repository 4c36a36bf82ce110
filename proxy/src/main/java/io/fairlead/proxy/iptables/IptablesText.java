package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.ServicePlan;
import java.util.ArrayList;
import java.util.List;

/// The rules of one service port as `iptables-save` would show them, for people. The same renderer
/// writes them to the kernel.
public final class IptablesText {
  private IptablesText() {}

  public static List<String> of(ServicePlan plan, NodeFacts node, IptablesSettings settings) {
    IptablesRenderer rules = new IptablesRenderer(plan, node, settings, true);
    List<String> lines = new ArrayList<>();
    SharedChainEntries entries = rules.entries();
    for (String table : List.of(FixedRules.NAT, FixedRules.FILTER)) {
      List<String> ofTable = new ArrayList<>();
      for (SharedChain chain : SharedChain.values()) {
        if (chain.table().equals(table)) {
          entries.of(chain).forEach(rule -> ofTable.add("-A " + chain.chain() + " " + rule));
        }
      }
      if (table.equals(FixedRules.NAT)) {
        rules
            .ownChains()
            .forEach((chain, own) -> own.forEach(rule -> ofTable.add("-A " + chain + " " + rule)));
      }
      if (!ofTable.isEmpty()) {
        lines.add("*" + table);
        lines.addAll(ofTable);
      }
    }
    return lines;
  }
}
