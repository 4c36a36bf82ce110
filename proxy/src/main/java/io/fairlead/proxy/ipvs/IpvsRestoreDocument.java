package io.fairlead.proxy.ipvs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What is handed to `iptables-restore --noflush`: nat first, then filter.
final class IpvsRestoreDocument {
  /// The parts of one table.
  private static final class Part {
    private final List<String> chains = new ArrayList<>();
    private final List<String> rules = new ArrayList<>();
    private final List<String> removals = new ArrayList<>();
  }

  private final Map<String, Part> parts = new LinkedHashMap<>();

  IpvsRestoreDocument() {
    SavedIptables.BOTH.forEach(table -> parts.put(table, new Part()));
  }

  private Part part(String table) {
    return parts.computeIfAbsent(table, _ -> new Part());
  }

  /// Replaces the rules of a chain; makes the chain when it is missing.
  void chain(String table, String chain, List<String> rules) {
    part(table).chains.add(chain);
    rules.forEach(rule -> part(table).rules.add("-A " + chain + " " + rule));
  }

  /// Puts a rule at the top of a chain that is not ours.
  void insert(SavedIptables.Jump jump) {
    part(jump.table()).rules.add("-I " + jump.from() + " " + jump.rule());
  }

  /// Takes a rule out of a chain that is not ours.
  void delete(SavedIptables.Jump jump) {
    part(jump.table()).rules.add("-D " + jump.from() + " " + jump.rule());
  }

  /// Empties and removes a chain.
  void remove(String table, String chain) {
    part(table).chains.add(chain);
    part(table).removals.add("-X " + chain);
  }

  int writes() {
    return parts.values().stream()
        .mapToInt(part -> part.chains.size() + part.rules.size() + part.removals.size())
        .sum();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    parts.forEach(
        (table, part) -> {
          if (part.chains.isEmpty() && part.rules.isEmpty()) {
            return;
          }
          text.append('*').append(table).append('\n');
          part.chains.forEach(chain -> text.append(':').append(chain).append(" - [0:0]\n"));
          part.rules.forEach(rule -> text.append(rule).append('\n'));
          part.removals.forEach(removal -> text.append(removal).append('\n'));
          text.append("COMMIT\n");
        });
    return text.toString();
  }
}
