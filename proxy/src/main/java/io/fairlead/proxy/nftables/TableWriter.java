package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes differences of the table into one transaction: of elements alone for a change of the
/// plan, and of the whole table, as the kernel holds it, for a repair. Nothing when nothing
/// differs.
final class TableWriter {
  private static final String COMMENT = "service proxy of fairlead";

  private final NftablesTableLayout layout;
  private final Table table;
  private final Transaction transaction;

  TableWriter(NftablesTableLayout layout, Transaction transaction) {
    this.layout = layout;
    this.table = layout.table();
    this.transaction = transaction;
  }

  /// Repairs: writes what leads from the table in the kernel to the one a plan needs.
  ///
  /// @param found its elements are used up
  void repair(InstalledTable found, ExpectedTable state, NftablesChains chains) {
    // Rendering shows which actions are needed.
    ElementDiff changes = new ElementDiff(found.elements());
    state.render(changes);
    Map<String, NftablesChains.Content> wanted = new LinkedHashMap<>(chains.fixed());
    for (ChainAction action : state.actions().used()) {
      wanted.put(action.chain(), chains.of(action));
    }
    InstalledTable base = found;
    if (found.table() && !fits(found, wanted)) {
      // The type of a set or the hook of a chain cannot be changed: the table is made again in the
      // same transaction, so that no packet meets half a table.
      transaction.deleteTable(table);
      base =
          new InstalledTable(false, Map.of(), Map.of(), Map.of(), List.of(), new IndexedElements());
      changes = new ElementDiff(base.elements());
      state.render(changes);
    }
    if (!base.table()) {
      transaction.addTable(table, COMMENT);
    }
    for (ProxySet container : ProxySet.values()) {
      if (!base.sets().containsKey(container)) {
        transaction.addSet(table, layout.set(container));
      }
    }
    deleteElements(changes.finish());
    chains(base, wanted);
    addElements(changes);
    deleteForeign(base, wanted);
  }

  private boolean fits(InstalledTable found, Map<String, NftablesChains.Content> wanted) {
    for (Map.Entry<ProxySet, SetSpecification> entry : found.sets().entrySet()) {
      if (!entry.getValue().equals(layout.set(entry.getKey()))) {
        return false;
      }
    }
    for (NftablesChains.Content content : wanted.values()) {
      Chain there = found.chains().get(content.chain().name());
      if (there != null && !there.equals(content.chain())) {
        return false;
      }
    }
    return true;
  }

  private void chains(InstalledTable base, Map<String, NftablesChains.Content> wanted) {
    List<NftablesChains.Content> toWrite = new ArrayList<>();
    for (NftablesChains.Content content : wanted.values()) {
      String name = content.chain().name();
      boolean there = base.chains().containsKey(name);
      List<NftRule> rules = base.rules().getOrDefault(name, List.of());
      if (there && rules.equals(content.rules())) {
        continue;
      }
      if (!there) {
        transaction.addChain(table, content.chain());
      } else if (!rules.isEmpty()) {
        transaction.flushChain(table, name);
      }
      toWrite.add(content);
    }
    for (NftablesChains.Content content : toWrite) {
      content.rules().forEach(rule -> transaction.addRule(table, content.chain().name(), rule));
    }
  }

  /// Writes a change of elements, with the chains of actions that no Service used before.
  ///
  /// @param fresh the contents of these chains
  void change(ElementDiff changes, List<NftablesChains.Content> fresh) {
    deleteElements(changes);
    for (NftablesChains.Content content : fresh) {
      transaction.addChain(table, content.chain());
      content.rules().forEach(rule -> transaction.addRule(table, content.chain().name(), rule));
    }
    addElements(changes);
  }

  private void deleteElements(ElementDiff changes) {
    for (ProxySet container : ProxySet.values()) {
      List<SetElement> deleted = changes.deleted(container);
      if (!deleted.isEmpty()) {
        transaction.deleteElements(table, layout.set(container), deleted);
      }
    }
  }

  private void addElements(ElementDiff changes) {
    for (ProxySet container : ProxySet.values()) {
      List<SetElement> added = changes.added(container);
      if (!added.isEmpty()) {
        transaction.addElements(table, layout.set(container), added);
      }
    }
  }

  /// Removes chains and sets of the table that no action uses any more, or that another program has
  /// put there.
  private void deleteForeign(InstalledTable base, Map<String, NftablesChains.Content> wanted) {
    List<String> extra =
        base.chains().keySet().stream().filter(name -> !wanted.containsKey(name)).toList();
    for (String chain : extra) {
      if (base.rules().containsKey(chain)) {
        transaction.flushChain(table, chain);
      }
    }
    extra.forEach(chain -> transaction.deleteChain(table, chain));
    base.foreign().forEach(set -> transaction.deleteSet(table, set));
  }
}
