package io.fairlead.proxy.testing;

import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.iptables.IptablesRunner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The iptables tools in memory: keeps tables, chains and rules as they were written, and refuses
/// what the true tools refuse - rules of chains that do not exist, jumps to nowhere, removal of a
/// chain that is in use. A table in a document is applied whole or not at all. Thread-safe.
public final class FakeIptables implements IptablesRunner {
  private static final Map<String, List<String>> BUILT_IN =
      Map.of(
          "mangle", List.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"),
          "nat", List.of("PREROUTING", "INPUT", "OUTPUT", "POSTROUTING"),
          "filter", List.of("INPUT", "FORWARD", "OUTPUT"));

  private final Map<String, LinkedHashMap<String, List<String>>> tables = new HashMap<>();
  private final List<String> documents = new ArrayList<>();
  private int failures;
  private @Nullable Error thrown;

  public FakeIptables() {
    flush();
  }

  /// Empties all tables, as a reload of a firewall does.
  public synchronized void flush() {
    BUILT_IN.forEach(
        (table, chains) -> {
          LinkedHashMap<String, List<String>> empty = new LinkedHashMap<>();
          chains.forEach(chain -> empty.put(chain, new ArrayList<>()));
          tables.put(table, empty);
        });
  }

  /// Refuses the next documents.
  public synchronized void failNext(int times) {
    failures = times;
  }

  /// Throws that instead of restoring the next document, whatever it is.
  public synchronized void throwOnce(Error next) {
    thrown = next;
  }

  /// The documents restored so far.
  public synchronized List<String> documents() {
    return List.copyOf(documents);
  }

  /// The rules of a chain, without `-A CHAIN`; empty when there is no such chain.
  public synchronized List<String> rules(String table, String chain) {
    return List.copyOf(table(table).getOrDefault(chain, List.of()));
  }

  @Override
  public synchronized void restore(String document) {
    Error error = thrown;
    if (error != null) {
      thrown = null;
      throw error;
    }
    if (failures > 0) {
      failures--;
      throw new DataPlaneException("iptables-restore refused the rules: told to");
    }
    documents.add(document);
    String name = "";
    LinkedHashMap<String, List<String>> table = new LinkedHashMap<>();
    int number = 0;
    for (String line : (Iterable<String>) document.lines()::iterator) {
      number++;
      if (line.startsWith("*")) {
        name = line.substring(1);
        table = copy(table(name));
      } else if (line.equals("COMMIT")) {
        check(table);
        tables.put(name, table);
      } else {
        apply(table, line, number);
      }
    }
  }

  private static void apply(LinkedHashMap<String, List<String>> table, String line, int number) {
    String[] words = line.split(" ", 3);
    String rest = words.length > 2 ? words[2] : "";
    if (line.startsWith(":")) {
      table.put(words[0].substring(1), new ArrayList<>());
      return;
    }
    List<String> chain = table.get(words[1]);
    if (chain == null) {
      throw new DataPlaneException("no chain " + words[1] + ": line " + number + " failed");
    }
    switch (words[0]) {
      case "-A" -> chain.add(rest);
      case "-I" -> chain.addFirst(rest);
      case "-D" -> {
        if (!chain.remove(rest)) {
          throw new DataPlaneException("no such rule: line " + number + " failed");
        }
      }
      case "-X" -> {
        if (!chain.isEmpty()) {
          throw new DataPlaneException("chain not empty: line " + number + " failed");
        }
        table.remove(words[1]);
      }
      default -> throw new DataPlaneException("unknown: line " + number + " failed");
    }
  }

  private static void check(LinkedHashMap<String, List<String>> table) {
    table.forEach(
        (chain, rules) ->
            rules.forEach(
                rule -> {
                  int jump = rule.lastIndexOf("-j KUBE-");
                  if (jump >= 0 && !table.containsKey(rule.substring(jump + 3))) {
                    throw new DataPlaneException(chain + " jumps to a chain that is not there");
                  }
                }));
  }

  private static LinkedHashMap<String, List<String>> copy(
      LinkedHashMap<String, List<String>> table) {
    LinkedHashMap<String, List<String>> copy = new LinkedHashMap<>();
    table.forEach((chain, rules) -> copy.put(chain, new ArrayList<>(rules)));
    return copy;
  }

  @Override
  public synchronized String save(String table) {
    return print(table, "");
  }

  @Override
  public synchronized String saveWithCounters(String table) {
    return print(table, "[0:0] ");
  }

  private String print(String table, String counters) {
    StringBuilder text = new StringBuilder("*" + table + "\n");
    table(table).forEach((chain, _) -> text.append(":" + chain + " - [0:0]\n"));
    table(table)
        .forEach(
            (chain, rules) ->
                rules.forEach(rule -> text.append(counters + "-A " + chain + " " + rule + "\n")));
    return text.append("COMMIT\n").toString();
  }

  @Override
  public synchronized boolean hasChain(String table, String chain) {
    return table(table).containsKey(chain);
  }

  private LinkedHashMap<String, List<String>> table(String name) {
    LinkedHashMap<String, List<String>> table = tables.get(name);
    if (table == null) {
      throw new DataPlaneException("no table " + name);
    }
    return table;
  }
}
