package io.fairlead.app.hoststate;

import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.syscall.SystemCallException;
import java.util.List;
import java.util.Set;

/// The tables that the iptables tools make in nf_tables as soon as they write a first rule, and
/// leave when the last one goes.
final class EmptyTables {
  private static final Set<String> NAMES = Set.of("filter", "nat", "mangle", "raw", "security");

  private EmptyTables() {}

  /// Takes away those without any rule that were not there before.
  static void removeNew(List<String> rulesBefore) {
    try (Nftables nftables = Nftables.open()) {
      for (NftFamily family : List.of(NftFamily.IP, NftFamily.IP6)) {
        for (Table table : nftables.tables(family)) {
          if (NAMES.contains(table.name())
              && !rulesBefore.contains("table " + table)
              && isEmpty(nftables, table)) {
            nftables.transaction().deleteTable(table).commit();
          }
        }
      }
    } catch (SystemCallException e) {
      // The look at the rules afterwards tells what is left.
      return;
    }
  }

  private static boolean isEmpty(Nftables nftables, Table table) {
    return nftables.rules(table).isEmpty()
        && nftables.sets(table).isEmpty()
        && nftables.chains(table).stream().allMatch(chain -> chain.hook() != null);
  }
}
