package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.kernel.nftables.Rule;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes into one transaction what leads from what was found to what is wanted; nothing when
/// nothing differs.
final class Repair {
  private static final String COMMENT = "service proxy of fairlead";

  private final Layout layout;
  private final Table table;
  private final Transaction transaction;

  Repair(Layout layout, Transaction transaction) {
    this.layout = layout;
    this.table = layout.table();
    this.transaction = transaction;
  }

  /// @param found its elements are used up
  void write(Found found, State state, Chains chains) {
    // Rendering tells which actions are needed.
    Comparison comparison = new Comparison(found.elements());
    state.render(comparison);
    Map<String, Chains.Content> wanted = new LinkedHashMap<>(chains.fixed());
    for (Action action : state.actions().used()) {
      wanted.put(action.chain(), chains.of(action));
    }
    Found base = found;
    if (found.table() && !fits(found, wanted)) {
      // The make of a set or the hook of a chain cannot be changed: begin anew, in the same
      // transaction, so that no packet meets half a table.
      transaction.deleteTable(table);
      base = new Found(false, Map.of(), Map.of(), Map.of(), List.of(), new Elements());
      comparison = new Comparison(base.elements());
      state.render(comparison);
    }
    if (!base.table()) {
      transaction.addTable(table, COMMENT);
    }
    for (Container container : Container.values()) {
      if (!base.sets().containsKey(container)) {
        transaction.addSet(table, layout.set(container));
      }
    }
    Changes changes = comparison.finish();
    deleteElements(changes);
    chains(base, wanted);
    addElements(changes);
    deleteForeign(base, wanted);
  }

  private boolean fits(Found found, Map<String, Chains.Content> wanted) {
    for (Map.Entry<Container, SetSpecification> entry : found.sets().entrySet()) {
      if (!entry.getValue().equals(layout.set(entry.getKey()))) {
        return false;
      }
    }
    for (Chains.Content content : wanted.values()) {
      Chain there = found.chains().get(content.chain().name());
      if (there != null && !there.equals(content.chain())) {
        return false;
      }
    }
    return true;
  }

  private void chains(Found base, Map<String, Chains.Content> wanted) {
    List<Chains.Content> toWrite = new ArrayList<>();
    for (Chains.Content content : wanted.values()) {
      String name = content.chain().name();
      boolean there = base.chains().containsKey(name);
      List<Rule> rules = base.rules().getOrDefault(name, List.of());
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
    for (Chains.Content content : toWrite) {
      content.rules().forEach(rule -> transaction.addRule(table, content.chain().name(), rule));
    }
  }

  /// Writes the chain of an action that nobody used before.
  void addAction(Chains.Content content) {
    transaction.addChain(table, content.chain());
    content.rules().forEach(rule -> transaction.addRule(table, content.chain().name(), rule));
  }

  void deleteElements(Changes changes) {
    for (Container container : Container.values()) {
      List<Element> deleted = changes.deleted(container);
      if (!deleted.isEmpty()) {
        transaction.deleteElements(table, layout.set(container), deleted);
      }
    }
  }

  void addElements(Changes changes) {
    for (Container container : Container.values()) {
      List<Element> added = changes.added(container);
      if (!added.isEmpty()) {
        transaction.addElements(table, layout.set(container), added);
      }
    }
  }

  /// Removes chains and sets of the table that no action uses any more, or that others have put
  /// there.
  private void deleteForeign(Found base, Map<String, Chains.Content> wanted) {
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
