package io.fairlead.app.hoststate;

import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.iptables.NfacctCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// All packet filter rules of this network namespace as lines that can be compared: those of
/// nf_tables, where iptables of today keeps its rules too, and those of the legacy interface.
/// Numbers that change by themselves are left out: counters, handles, the life of set elements.
final class Ruleset {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /// What the line of a named counter begins with.
  private static final String COUNTER = "counter ";

  private Ruleset() {}

  static List<String> now() {
    List<String> lines = new ArrayList<>();
    try (Nftables nftables = Nftables.open()) {
      for (NftFamily family : NftFamily.values()) {
        for (Table table : nftables.tables(family)) {
          table(nftables, table, lines);
        }
      }
    } catch (SystemCallException e) {
      // A kernel without nf_tables has no such rules.
      lines.add("nf_tables: " + e.getMessage());
    }
    NfacctCounters.read().keySet().stream().sorted().map(COUNTER::concat).forEach(lines::add);
    legacy("/proc/net/ip_tables_names", "iptables-legacy-save", lines);
    legacy("/proc/net/ip6_tables_names", "ip6tables-legacy-save", lines);
    return lines;
  }

  /// Those named counters that rules of a proxy refer to, of a look of before.
  static List<String> counters(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(COUNTER))
        .map(line -> line.substring(COUNTER.length()))
        .toList();
  }

  private static void table(Nftables nftables, Table table, List<String> lines) {
    String name = "table " + table;
    lines.add(name);
    Map<String, List<ListedRule>> rules = nftables.rules(table);
    for (Chain chain : nftables.chains(table)) {
      lines.add(name + " chain " + chain.name() + hook(chain.hook()));
      for (ListedRule rule : rules.getOrDefault(chain.name(), List.of())) {
        lines.add(name + " chain " + chain.name() + " " + text(rule));
      }
    }
    for (SetSpecification set : nftables.sets(table)) {
      lines.add(name + " set " + set.name());
      for (SetElement element : nftables.elements(table, set.name())) {
        if (element.timeoutMillis() == 0) {
          lines.add(name + " set " + set.name() + " " + text(element));
        }
      }
    }
  }

  private static String hook(@org.jspecify.annotations.Nullable Hook hook) {
    return hook == null ? "" : " " + hook;
  }

  private static String text(ListedRule rule) {
    return rule.rule().expressions().stream()
            .filter(each -> !(each instanceof Expression.Counter))
            .map(Ruleset::text)
            .toList()
        + comment(rule.rule().comment());
  }

  /// What this program does not know is shown whole, but for what counts.
  private static String text(Expression expression) {
    return expression instanceof Expression.Other(String name, _)
            && (name.equals("quota") || name.equals("last") || name.equals("limit"))
        ? name
        : expression.toString();
  }

  private static String text(SetElement element) {
    return element.key()
        + "-"
        + element.keyEnd()
        + ":"
        + element.value()
        + element.verdict()
        + comment(element.comment());
  }

  private static String comment(String text) {
    return text.isEmpty() ? "" : " # " + text;
  }

  private static void legacy(String names, String program, List<String> lines) {
    try {
      if (!Files.isReadable(Path.of(names))
          || Files.readString(Path.of(names)).isBlank()
          || CommandRunner.find(program).isEmpty()) {
        return;
      }
      CommandRunner.Result saved = CommandRunner.here(LIMIT).run("", List.of(program));
      String table = "";
      for (String line : saved.output().lines().toList()) {
        if (line.startsWith("*")) {
          table = line.substring(1);
        } else if (line.startsWith(":")) {
          chain(program, table, line, lines);
        } else if (line.startsWith("-")) {
          lines.add(program + " " + table + " " + line);
        }
      }
    } catch (IOException | CommandRunnerException e) {
      lines.add(program + ": " + e.getMessage());
    }
  }

  /// `:INPUT ACCEPT [12:345]`. A table that was looked at comes into being with its own chains;
  /// only what can drop a packet, or was made by a program or a user, counts.
  private static void chain(String program, String table, String line, List<String> lines) {
    String[] words = line.substring(1).split(" ");
    if (words.length > 1 && !words[1].equals("ACCEPT")) {
      lines.add(program + " " + table + " :" + words[0] + " " + words[1]);
    }
  }
}
