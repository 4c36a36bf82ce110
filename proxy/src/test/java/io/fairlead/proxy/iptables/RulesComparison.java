package io.fairlead.proxy.iptables;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Brings a dump of `iptables-save` to a form in which two dumps can be compared: each chain with
/// its rules in order. Left out are counters, chains that are not ours and the order of chains. In
/// the chains all Services share, rules are grouped by Service and the groups sorted, for the
/// original writes Services in no particular order; a rule that belongs to no Service stays in
/// front of or behind them.
final class RulesComparison {
  private static final Set<String> SHARED =
      Set.of("KUBE-SERVICES", "KUBE-EXTERNAL-SERVICES", "KUBE-NODEPORTS", "KUBE-PROXY-FIREWALL");

  private record Rule(String text, String service) {}

  private RulesComparison() {}

  /// The chains of a dump, as lines that read well in a difference.
  static List<String> lines(String dump, boolean comments) {
    Map<String, List<Rule>> chains = new TreeMap<>();
    String table = "";
    for (String line : dump.lines().map(String::strip).toList()) {
      if (line.startsWith("*")) {
        table = line.substring(1);
      } else if (line.startsWith(":KUBE-")) {
        chains.computeIfAbsent(
            table + " " + line.substring(1, line.indexOf(' ')), _ -> new ArrayList<>());
      } else if (line.startsWith("-A ")) {
        add(chains, table, RuleNormalizer.words(line), comments);
      }
    }
    List<String> lines = new ArrayList<>();
    chains.forEach(
        (chain, rules) -> {
          lines.add("[" + chain + "]");
          boolean shared = SHARED.contains(chain.substring(chain.indexOf(' ') + 1));
          (shared ? grouped(rules) : rules).forEach(rule -> lines.add("  " + rule.text));
        });
    return lines;
  }

  private static void add(
      Map<String, List<Rule>> chains, String table, List<String> words, boolean comments) {
    String chain = words.get(1);
    if (!chain.startsWith("KUBE-") && words.stream().noneMatch(w -> w.startsWith("KUBE-"))) {
      return;
    }
    int at = words.indexOf("--comment");
    String comment = at < 0 ? "" : words.get(at + 1);
    List<String> rule = new ArrayList<>(words.subList(2, words.size()));
    if (!comments && at >= 0) {
      rule.remove(at - 2);
      rule.remove(at - 2);
    }
    int blank = comment.indexOf(' ');
    String first = blank < 0 ? comment : comment.substring(0, blank);
    chains
        .computeIfAbsent(table + " " + chain, _ -> new ArrayList<>())
        .add(new Rule(RuleNormalizer.normal(rule), first.contains("/") ? first : ""));
  }

  private static List<Rule> grouped(List<Rule> rules) {
    List<Rule> before = new ArrayList<>();
    List<Rule> after = new ArrayList<>();
    TreeMap<String, List<Rule>> services = new TreeMap<>();
    for (Rule rule : rules) {
      if (!rule.service.isEmpty()) {
        services.computeIfAbsent(rule.service, _ -> new ArrayList<>()).add(rule);
      } else {
        (services.isEmpty() ? before : after).add(rule);
      }
    }
    List<Rule> all = new ArrayList<>(before);
    services.values().forEach(all::addAll);
    all.addAll(after);
    return all;
  }
}
