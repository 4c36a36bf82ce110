package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// What this process has last put into the shared chains, service port by service port and in the
/// order of their names. Not thread-safe: owned by the data plane.
final class SharedChainContents {
  private final NodeFacts node;
  private final IptablesSettings settings;
  private final TreeMap<String, SharedChainEntries> entries = new TreeMap<>();
  private int natRules;
  private int filterRules;

  SharedChainContents(NodeFacts node, IptablesSettings settings) {
    this.node = node;
    this.settings = settings;
    this.natRules = FixedRules.nodePortJumps(node).size();
    FixedRules.chains(node, settings)
        .forEach(
            (table, chains) -> {
              int rules = chains.values().stream().mapToInt(List::size).sum();
              if (table.equals(FixedRules.NAT)) {
                natRules += rules;
              } else {
                filterRules += rules;
              }
            });
  }

  /// Notes a service port as it is now; says which shared chains differ from before.
  void put(ServicePlan service, boolean comments, Set<SharedChain> touched) {
    SharedChainEntries now = new IptablesRenderer(service, node, settings, comments).entries();
    SharedChainEntries before = entries.put(key(service.name()), now);
    account(now, 1);
    if (before != null) {
      account(before, -1);
    }
    for (SharedChain chain : SharedChain.values()) {
      List<String> old = before == null ? List.of() : before.of(chain);
      if (!old.equals(now.of(chain))) {
        touched.add(chain);
      }
    }
  }

  /// Forgets a service port; says which shared chains it was in.
  void remove(ServicePortName name, Set<SharedChain> touched) {
    SharedChainEntries before = entries.remove(key(name));
    if (before != null) {
      account(before, -1);
      touched.addAll(before.rules().keySet());
    }
  }

  /// Whether the own chains of a service port were written with comments.
  boolean commented(ServicePortName name, boolean otherwise) {
    SharedChainEntries known = entries.get(key(name));
    return known == null ? otherwise : known.comments();
  }

  /// All rules of a shared chain.
  List<String> rules(SharedChain chain) {
    List<String> rules = new ArrayList<>();
    entries.values().forEach(each -> rules.addAll(each.of(chain)));
    if (chain == SharedChain.NAT_SERVICES) {
      rules.addAll(FixedRules.nodePortJumps(node));
    }
    return rules;
  }

  int natRules() {
    return natRules;
  }

  int filterRules() {
    return filterRules;
  }

  /// A table of everything a plan wants, keeping per service port whether it had comments.
  static SharedChainContents of(
      Plan plan, IptablesSettings settings, SharedChainContents before, boolean large) {
    SharedChainContents fresh = new SharedChainContents(plan.node(), settings);
    Set<SharedChain> ignored = EnumSet.noneOf(SharedChain.class);
    plan.services()
        .forEach(
            (name, service) ->
                fresh.put(service, large ? before.commented(name, false) : true, ignored));
    return fresh;
  }

  private void account(SharedChainEntries each, int sign) {
    natRules += sign * (each.count(FixedRules.NAT) + each.natRules());
    filterRules += sign * each.count(FixedRules.FILTER);
  }

  // Display name, then protocol; no display name holds a blank.
  private static String key(ServicePortName name) {
    return name.displayName() + " " + name.protocol().ordinal();
  }
}
