package io.fairlead.proxy.nodeapi;

import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.RuleText;
import io.fairlead.kernel.nftables.Table;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;

/// Packet filters of others that drop what is forwarded unless a rule accepts it, such as that of a
/// container engine or a firewall. Tables of iptables-nft are among them.
final class ForwardPolicies {
  /// What a rule demands that the first packet between a client and a pod need not have.
  private static final List<String> SPECIAL =
      List.of("ct state", "conntrack", "iif ", "oif ", "iifname ", "oifname ");

  private ForwardPolicies() {}

  static void writeTo(ArrayNode out, Nftables nftables) {
    for (NftFamily family : List.of(NftFamily.INET, NftFamily.IP, NftFamily.IP6)) {
      for (Table table : nftables.tables(family)) {
        for (Chain chain : nftables.droppingChains(table)) {
          Hook hook = chain.hook();
          if (hook != null && hook.number() == Hook.FORWARD) {
            out.addObject()
                .put("family", family.word())
                .put("table", table.name())
                .put("chain", chain.name())
                .put("policy", "drop")
                .put("acceptsPods", mayAcceptPods(nftables, table));
          }
        }
      }
    }
  }

  /// Whether some rule of the table accepts packets without asking for a known connection or for an
  /// interface. Which packets those are is not looked at: a false alarm is worse than silence.
  private static boolean mayAcceptPods(Nftables nftables, Table table) {
    Stream<NftRule> rules =
        nftables.rules(table).values().stream().flatMap(List::stream).map(ListedRule::rule);
    return rules
        .filter(rule -> RuleText.verdict(rule).filter(NftVerdict.ACCEPT::equals).isPresent())
        .map(RuleText::of)
        .anyMatch(text -> SPECIAL.stream().noneMatch((text + " ")::contains));
  }
}
