package io.fairlead.proxy.iptables;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What is handed to `iptables-restore --noflush`: tables, in each the chains to empty or make,
/// then rules, then chains to remove. Chains that are not named stay as they are.
final class RestoreDocument {
  /// The parts of one table.
  private static final class Table {
    private final List<String> chains = new ArrayList<>();
    private final List<String> rules = new ArrayList<>();
    private final List<String> removals = new ArrayList<>();
    private int appended;
  }

  // The order in which the original writes them, with ours for the canary in front.
  private final Map<String, Table> tables = new LinkedHashMap<>();

  RestoreDocument() {
    tables.put(FixedRules.MANGLE, new Table());
    tables.put(FixedRules.FILTER, new Table());
    tables.put(FixedRules.NAT, new Table());
  }

  /// Replaces the rules of a chain; makes the chain when it is missing.
  void chain(String table, String chain, Iterable<String> rules) {
    Table in = table(table);
    in.chains.add(chain);
    String append = "-A " + chain + " ";
    for (String rule : rules) {
      in.rules.add(append + rule);
      in.appended++;
    }
  }

  /// Puts a rule at the top of a chain that is not ours.
  void insert(FixedRules.Jump jump) {
    table(jump.table()).rules.add("-I " + jump.from() + " " + jump.rule());
  }

  /// Takes a rule out of a chain that is not ours.
  void delete(String table, String chain, String rule) {
    table(table).rules.add("-D " + chain + " " + rule);
  }

  /// Empties and removes a chain.
  void remove(String table, String chain) {
    Table in = table(table);
    in.chains.add(chain);
    in.removals.add("-X " + chain);
  }

  /// How many rules of a table are written, not counting removals.
  int rules(String table) {
    return table(table).appended;
  }

  /// How many lines change something.
  int writes() {
    return tables.values().stream()
        .mapToInt(table -> table.chains.size() + table.rules.size() + table.removals.size())
        .sum();
  }

  boolean isEmpty() {
    return writes() == 0;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    tables.forEach(
        (name, table) -> {
          if (table.chains.isEmpty() && table.rules.isEmpty()) {
            return;
          }
          text.append('*').append(name).append('\n');
          table.chains.forEach(chain -> text.append(':').append(chain).append(" - [0:0]\n"));
          table.rules.forEach(rule -> text.append(rule).append('\n'));
          table.removals.forEach(removal -> text.append(removal).append('\n'));
          text.append("COMMIT\n");
        });
    return text.toString();
  }

  private Table table(String name) {
    Table table = tables.get(name);
    if (table == null) {
      throw new IllegalArgumentException("no table " + name);
    }
    return table;
  }
}
