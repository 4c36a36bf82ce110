package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.proxy.core.NodeFacts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/// Compares what is wanted with what is there.
///
/// @param busy which real servers of a virtual server have connections
record IpvsChangePlanner(
    NodeFacts node,
    DesiredIpvsState desired,
    InstalledIpvsState installed,
    Function<VirtualServerAddress, Set<RealServer>> busy) {

  /// Everything.
  ///
  /// @param foreign virtual servers of other programs
  IpvsChangeSet whole(SavedIptables tables, Predicate<VirtualServerAddress> foreign) {
    List<String> enter = new ArrayList<>();
    List<String> leave = new ArrayList<>();
    for (SetKind set : SetKind.values()) {
      if (!installed.entries.containsKey(set)) {
        enter.add(set.create(node.family()));
      }
      Set<String> there = installed.entries.getOrDefault(set, Set.of());
      desired.texts(set).stream()
          .filter(text -> !there.contains(text))
          .sorted()
          .forEach(text -> enter.add(line("add", set, text)));
      there.stream()
          .filter(text -> !desired.texts(set).contains(text))
          .sorted()
          .forEach(text -> leave.add(line("del", set, text)));
    }
    Set<VirtualServerAddress> endpoints = new HashSet<>(desired.endpoints());
    installed.servers.keySet().stream().filter(foreign.negate()).forEach(endpoints::add);
    Set<IpAddress> addresses = new HashSet<>(desired.bound());
    addresses.addAll(installed.bound);
    IpvsRestoreDocument rules = rules();
    for (SavedIptables.Jump jump : IpvsChains.JUMPS) {
      if (!installed.jumps.contains(jump)) {
        rules.insert(jump);
      }
    }
    Leftovers.remove(tables, rules);
    return step(Leftovers.isInCharge(tables), enter, rules, endpoints, addresses, leave);
  }

  /// What was touched only.
  IpvsChangeSet part(DesiredIpvsState.Touched touched) {
    List<String> enter = new ArrayList<>();
    List<String> leave = new ArrayList<>();
    for (IpsetEntry entry : touched.entries) {
      boolean wanted = desired.has(entry);
      if (wanted != installed.has(entry)) {
        (wanted ? enter : leave).add(line(wanted ? "add" : "del", entry.set(), entry.text()));
      }
    }
    return step(false, enter, rules(), touched.servers, touched.bound, leave);
  }

  private IpvsChangeSet step(
      boolean takesOver,
      List<String> enter,
      IpvsRestoreDocument rules,
      Set<VirtualServerAddress> endpoints,
      Set<IpAddress> addresses,
      List<String> leave) {
    ServerDifference difference = new ServerDifference();
    for (VirtualServerAddress endpoint : endpoints) {
      difference.add(
          endpoint,
          desired.server(endpoint),
          installed.servers.get(endpoint),
          () -> busy.apply(endpoint));
    }
    List<IpAddress> bind = new ArrayList<>();
    List<IpAddress> unbind = new ArrayList<>();
    for (IpAddress address : addresses) {
      boolean wanted = desired.isBound(address);
      if (wanted != installed.bound.contains(address)) {
        (wanted ? bind : unbind).add(address);
      }
    }
    return new IpvsChangeSet(
        takesOver,
        enter,
        rules,
        difference.additions(),
        bind,
        unbind,
        difference.removals(),
        leave);
  }

  private IpvsRestoreDocument rules() {
    IpvsRestoreDocument document = new IpvsRestoreDocument();
    IpvsChains.of(node, desired)
        .forEach(
            (table, chains) ->
                chains.forEach(
                    (chain, rules) -> {
                      Map<String, List<String>> there =
                          installed.chains.getOrDefault(table, Map.of());
                      if (!rules.equals(there.get(chain))) {
                        document.chain(table, chain, rules);
                      }
                    }));
    return document;
  }

  private String line(String verb, SetKind set, String text) {
    return verb + " " + set.name(node.family()) + " " + text;
  }
}
