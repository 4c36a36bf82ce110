package io.fairlead.proxy.ipvs;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the iptables mode has put beside chains that both modes call by the same name. It must go
/// when this mode takes over, and stay when that one does.
final class Leftovers {
  /// Chains both modes have; each fills them with rules of its own.
  private static final Map<String, Set<String>> SHARED =
      Map.of(
          SavedIptables.NAT,
          Set.of("KUBE-SERVICES", "KUBE-POSTROUTING", "KUBE-MARK-MASQ"),
          SavedIptables.FILTER,
          Set.of("KUBE-FORWARD", "KUBE-PROXY-FIREWALL"));

  private static final List<String> SERVICE_CHAINS =
      List.of("KUBE-SVC-", "KUBE-SVL-", "KUBE-EXT-", "KUBE-FW-", "KUBE-SEP-");
  private static final Set<String> FIXED =
      Set.of("KUBE-NODEPORTS", "KUBE-EXTERNAL-SERVICES", "KUBE-PROXY-CANARY");

  private Leftovers() {}

  static boolean isShared(String table, String chain) {
    return SHARED.getOrDefault(table, Set.of()).contains(chain);
  }

  /// Whether rules of the iptables mode translate addresses now.
  static boolean isInCharge(SavedIptables tables) {
    return tables.chains(SavedIptables.NAT).containsKey("KUBE-NODEPORTS");
  }

  /// Whether the iptables mode makes such a jump too, letter for letter.
  static boolean isShared(SavedIptables.Jump jump) {
    return jump.table().equals(SavedIptables.NAT) || jump.rule().endsWith("-j KUBE-FORWARD");
  }

  /// Takes the iptables mode's own chains, and the jumps to them, out.
  static void remove(SavedIptables tables, IpvsRestoreDocument document) {
    for (SavedIptables.Jump jump : tables.jumps()) {
      String target = jump.rule().substring(jump.rule().lastIndexOf(' ') + 1);
      boolean filter = jump.table().equals(SavedIptables.FILTER);
      boolean firewall =
          filter && target.equals("KUBE-PROXY-FIREWALL") && !IpvsChains.JUMPS.contains(jump);
      if (isTheirs(jump.table(), target) || firewall) {
        document.delete(jump);
      }
    }
    for (String table : SavedIptables.BOTH) {
      for (String chain : tables.chains(table).keySet()) {
        if (isTheirs(table, chain)) {
          document.remove(table, chain);
        }
      }
    }
  }

  private static boolean isTheirs(String table, String chain) {
    return FIXED.contains(chain)
        || (table.equals(SavedIptables.FILTER) && chain.equals("KUBE-SERVICES"))
        || SERVICE_CHAINS.stream().anyMatch(chain::startsWith);
  }
}
