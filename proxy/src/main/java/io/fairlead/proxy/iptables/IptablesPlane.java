package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneSnapshot;
import io.fairlead.proxy.core.ForeignWriter;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.ServicePlan;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Carries plans out as iptables rules of one family.
///
/// How it works: applying a change writes the own chains of the service ports that changed, and of
/// the shared chains those whose entries changed; chains that are no longer used go in the same
/// document. Reconciling prints the tables, brings every rule to its normal form and writes only
/// chains that differ, so a restart with nothing new writes nothing. A shared chain is always
/// written whole, which is why the cost of a change grows with the number of Services.
public final class IptablesPlane implements DataPlane {
  private final IptablesRunner tool;
  private final IptablesSettings settings;
  private final Canary canary;
  private @Nullable Plan applied;
  private @Nullable SharedChainContents written;
  private boolean failed;

  public IptablesPlane(IptablesRunner tool, IptablesSettings settings, Canary canary) {
    this.tool = tool;
    this.settings = settings;
    this.canary = canary;
  }

  @Override
  public ApplyResult apply(Plan desired, PlanDiff change) {
    SharedChainContents state = written;
    if (applied == null || state == null || failed || change.nodeChanged()) {
      return reconcile(desired);
    }
    if (change.isEmpty()) {
      applied = desired;
      return new ApplyResult(false, 0, sizes(state, 0, 0));
    }
    // The contents change with the document: until that is written they are not to be trusted.
    failed = true;
    RestoreDocument document = difference(desired, change, state);
    restore(document);
    applied = desired;
    return applied(false, document, state);
  }

  /// The document that turns the last plan into this one.
  private RestoreDocument difference(Plan desired, PlanDiff diff, SharedChainContents state) {
    NodeFacts node = desired.node();
    boolean comments = !isLarge(desired);
    Set<SharedChain> touched = EnumSet.noneOf(SharedChain.class);
    SequencedMap<String, List<String>> own = new LinkedHashMap<>();
    Set<String> stale = new LinkedHashSet<>();
    // Names of Services that come and go may share an endpoint chain only with themselves, so the
    // chains before and after are compared for each service port alone.
    for (ServicePlan gone : diff.removed()) {
      stale.addAll(rules(gone, node, true).ownChains().keySet());
      state.remove(gone.name(), touched);
    }
    for (PlanDiff.Change change : diff.changed()) {
      boolean before = state.commented(change.before().name(), comments);
      SequencedMap<String, List<String>> old = rules(change.before(), node, before).ownChains();
      SequencedMap<String, List<String>> now = rules(change.after(), node, comments).ownChains();
      stale.addAll(old.keySet());
      stale.removeAll(now.keySet());
      now.forEach(
          (chain, rules) -> {
            if (!rules.equals(old.get(chain))) {
              own.put(chain, rules);
            }
          });
      state.put(change.after(), comments, touched);
    }
    for (ServicePlan fresh : diff.added()) {
      own.putAll(rules(fresh, node, comments).ownChains());
      state.put(fresh, comments, touched);
    }
    RestoreDocument document = new RestoreDocument();
    for (SharedChain chain : touched) {
      document.chain(chain.table(), chain.chain(), state.rules(chain));
    }
    own.forEach((chain, rules) -> document.chain(FixedRules.NAT, chain, rules));
    stale.removeAll(own.keySet());
    stale.forEach(chain -> document.remove(FixedRules.NAT, chain));
    return document;
  }

  @Override
  public ApplyResult reconcile(Plan desired) {
    SharedChainContents before =
        written == null || failed ? new SharedChainContents(desired.node(), settings) : written;
    SharedChainContents state = SharedChainContents.of(desired, settings, before, isLarge(desired));
    RestoreDocument document = repairs(desired, state);
    applied = null;
    restore(document);
    applied = desired;
    written = state;
    return applied(true, document, state);
  }

  /// The document that makes the kernel's tables as wanted, chain by chain where they differ.
  private RestoreDocument repairs(Plan desired, SharedChainContents state) {
    Map<String, SavedTable> saved = saved();
    RestoreDocument document = new RestoreDocument();
    FixedRules.chains(desired.node(), settings)
        .forEach(
            (table, chains) ->
                chains.forEach((chain, rules) -> repair(saved, document, table, chain, rules)));
    for (SharedChain chain : SharedChain.values()) {
      repair(saved, document, chain.table(), chain.chain(), state.rules(chain));
    }
    Set<String> wanted = new HashSet<>();
    for (ServicePlan service : desired.sorted()) {
      boolean comments = state.commented(service.name(), true);
      rules(service, desired.node(), comments)
          .ownChains()
          .forEach(
              (chain, rules) -> {
                wanted.add(chain);
                repair(saved, document, FixedRules.NAT, chain, rules);
              });
    }
    for (FixedRules.Jump jump : FixedRules.JUMPS) {
      if (!table(saved, jump.table()).jumps(jump)) {
        document.insert(jump);
      }
    }
    boolean guarded = table(saved, FixedRules.MANGLE).jumps(FixedRules.LOOPBACK_GUARD);
    if (FixedRules.needsGuard(desired.node()) && !guarded) {
      document.insert(FixedRules.LOOPBACK_GUARD);
    } else if (!FixedRules.needsGuard(desired.node())) {
      removeGuard(saved, document);
    }
    for (String chain : table(saved, FixedRules.NAT).chains().keySet()) {
      if (ChainNames.ofService(chain) && !wanted.contains(chain)) {
        document.remove(FixedRules.NAT, chain);
      }
    }
    return document;
  }

  private static void repair(
      Map<String, SavedTable> saved,
      RestoreDocument document,
      String table,
      String chain,
      List<String> rules) {
    List<String> actual = table(saved, table).chains().get(chain);
    if (actual == null || !actual.equals(rules.stream().map(RuleNormalizer::normal).toList())) {
      document.chain(table, chain, rules);
    }
  }

  private Map<String, SavedTable> saved() {
    Map<String, SavedTable> saved = new HashMap<>();
    for (String table : List.of(FixedRules.MANGLE, FixedRules.FILTER, FixedRules.NAT)) {
      saved.put(table, SavedTable.parse(tool.save(table)));
    }
    return saved;
  }

  private static SavedTable table(Map<String, SavedTable> saved, String table) {
    return saved.getOrDefault(table, new SavedTable(Map.of(), List.of()));
  }

  private void restore(RestoreDocument document) {
    if (document.isEmpty()) {
      failed = false;
      return;
    }
    failed = true;
    tool.restore(document.text());
    failed = false;
  }

  @Override
  public DataPlaneSnapshot observe() {
    return IptablesSnapshotReader.read(tool, applied, settings);
  }

  /// Takes out our jumps, then our chains. Stays: the chain `KUBE-FIREWALL`, which the node's agent
  /// shares. Every chain is emptied before one is removed, so none is in the way of another.
  @Override
  public void removeAll() {
    RestoreDocument document = new RestoreDocument();
    Map<String, SavedTable> saved = saved();
    removeGuard(saved, document);
    saved.forEach(
        (table, found) -> {
          for (SavedTable.Foreign rule : found.foreign()) {
            if (FixedRules.JUMPS.stream().anyMatch(jump -> isOurs(jump, table, rule))) {
              document.delete(table, rule.chain(), rule.text());
            }
          }
          for (String chain : found.chains().keySet()) {
            if (isOurs(table, chain)) {
              document.remove(table, chain);
            }
          }
        });
    applied = null;
    written = null;
    restore(document);
  }

  /// The ipvs mode takes over the chains both have, and takes out the others when it writes its
  /// own; it knows nothing of the guard.
  @Override
  public void removeBeside(ProxyMode successor) {
    if (successor != ProxyMode.IPVS) {
      removeAll();
      return;
    }
    RestoreDocument document = new RestoreDocument();
    removeGuard(saved(), document);
    restore(document);
  }

  private static void removeGuard(Map<String, SavedTable> saved, RestoreDocument document) {
    for (SavedTable.Foreign rule : table(saved, FixedRules.MANGLE).foreign()) {
      if (rule.text().contains(FixedRules.GUARD)) {
        document.delete(FixedRules.MANGLE, rule.chain(), rule.text());
      }
    }
  }

  private static boolean isOurs(FixedRules.Jump jump, String table, SavedTable.Foreign rule) {
    return jump.table().equals(table)
        && jump.from().equals(rule.chain())
        && !jump.rule().endsWith(FixedRules.SHARED_FIREWALL)
        && RuleNormalizer.normal(jump.rule()).equals(rule.normal());
  }

  private static boolean isOurs(String table, String chain) {
    if (table.equals(FixedRules.NAT) && ChainNames.ofService(chain)) {
      return true;
    }
    return switch (chain) {
      case FixedRules.CANARY -> true;
      case "KUBE-SERVICES", "KUBE-NODEPORTS" -> !table.equals(FixedRules.MANGLE);
      case "KUBE-EXTERNAL-SERVICES", "KUBE-PROXY-FIREWALL", "KUBE-FORWARD" ->
          table.equals(FixedRules.FILTER);
      case "KUBE-POSTROUTING", "KUBE-MARK-MASQ" -> table.equals(FixedRules.NAT);
      default -> false;
    };
  }

  @Override
  public void onDrift(Runnable listener) {
    canary.start(tool, listener);
  }

  @Override
  public Optional<ForeignWriter> lastForeignWriter() {
    return tool.lastWriter();
  }

  @Override
  public void close() {
    canary.close();
  }

  private IptablesRenderer rules(ServicePlan service, NodeFacts node, boolean comments) {
    return new IptablesRenderer(service, node, settings, comments);
  }

  private boolean isLarge(Plan plan) {
    return plan.endpointCount() > settings.largeClusterEndpoints();
  }

  private static ApplyResult applied(
      boolean full, RestoreDocument document, SharedChainContents state) {
    return new ApplyResult(
        full,
        document.writes(),
        sizes(state, document.rules(FixedRules.NAT), document.rules(FixedRules.FILTER)));
  }

  /// Rules there are and rules just written, by table.
  private static Map<String, Integer> sizes(SharedChainContents state, int nat, int filter) {
    return Map.of(
        "nat",
        state.natRules(),
        "filter",
        state.filterRules(),
        "nat.last",
        nat,
        "filter.last",
        filter);
  }
}
