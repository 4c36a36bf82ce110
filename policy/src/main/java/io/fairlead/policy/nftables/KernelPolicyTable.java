package io.fairlead.policy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.Grant;
import io.fairlead.policy.core.PlanChange;
import io.fairlead.policy.core.PlanKey;
import io.fairlead.policy.core.PlanValue;
import io.fairlead.policy.core.PolicyPlan;
import io.fairlead.policy.core.PolicySet;
import io.fairlead.policy.core.PolicyTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The table in the kernel, by netlink.
///
/// Where the kernel can, the table belongs to this connection: no other process may change it, `nft
/// flush ruleset` passes it by, and it stays when the process ends. So the connection is open as
/// long as the table is used. The next process takes the table over.
public final class KernelPolicyTable implements PolicyTable {
  private final PolicyTableLayout layout;
  private final Nftables nftables;
  private TableSettings settings;
  private boolean ownable = true;
  private boolean owned;

  private KernelPolicyTable(PolicyTableLayout layout, Nftables nftables, TableSettings settings) {
    this.layout = layout;
    this.nftables = nftables;
    this.settings = settings;
  }

  /// In the network namespace of the calling thread. Writes nothing yet.
  public static KernelPolicyTable open(IpAddress.Family family, TableSettings settings) {
    return new KernelPolicyTable(new PolicyTableLayout(family), Nftables.open(), settings);
  }

  /// Other ranges or options, which the next [#reconcile] writes.
  public void settings(TableSettings changed) {
    settings = changed;
  }

  /// Whether there is a table, of this process or of an earlier one.
  public boolean exists() {
    return nftables.tables(table().family()).contains(table());
  }

  /// Whether no other process can change the table.
  public boolean isOwned() {
    return owned;
  }

  private Table table() {
    return layout.table();
  }

  @Override
  public Numbers numbers() {
    Map<IpAddress, Integer> classes = new HashMap<>();
    read(PolicySet.CLASSES)
        .forEach((key, value) -> classes.put(((PlanKey.OfAddress) key).address(), value.number()));
    read(PolicySet.BLOCKS)
        .forEach((key, value) -> classes.put(((PlanKey.OfRange) key).first(), value.number()));
    Map<Integer, List<Grant.Ports>> ports = new HashMap<>();
    for (PolicySet set : List.of(PolicySet.PORTS, PolicySet.PORT_RANGES)) {
      for (PlanKey key : read(set).keySet()) {
        PlanKey.OfPorts one = (PlanKey.OfPorts) key;
        ports.computeIfAbsent(one.number(), _ -> new ArrayList<>()).add(one.ports());
      }
    }
    Map<Grant, Integer> grants = new HashMap<>();
    ports.forEach((number, ranges) -> grants.put(new Grant(false, ranges), number));
    return new Numbers(classes, grants);
  }

  private Map<PlanKey, PlanValue> read(PolicySet set) {
    return layout.read(set, nftables.elements(table(), layout.set(set).name()));
  }

  /// What the table holds now; nothing when there is none.
  public PolicyPlan installed(IpAddress.Family family) {
    Map<PolicySet, Map<PlanKey, PlanValue>> elements = new EnumMap<>(PolicySet.class);
    for (PolicySet set : PolicySet.values()) {
      elements.put(set, read(set));
    }
    return new PolicyPlan(family, elements);
  }

  @Override
  public int reconcile(PolicyPlan plan) {
    boolean exists = nftables.tables(table().family()).contains(table());
    if (exists && !takeOver()) {
      // Made without an owner by an older program or by hand: made again, in one transaction.
      return rebuild(plan, true);
    }
    return exists && hasStructure() ? writeDifference(plan) : rebuild(plan, exists);
  }

  /// Becomes the owner of a table that has none.
  ///
  /// @return false when the table cannot have an owner although the kernel knows them
  private boolean takeOver() {
    if (owned || !ownable) {
      return true;
    }
    try {
      nftables.transaction().addOwnTable(table(), "").commit();
      owned = true;
      return true;
    } catch (SystemCallException e) {
      if (!isUnsupported(e)) {
        throw e;
      }
      return false;
    }
  }

  private static boolean isUnsupported(SystemCallException e) {
    return e.errno().equals(Errno.EOPNOTSUPP) || e.errno().equals(Errno.EINVAL);
  }

  private Map<String, PolicyChains.Content> chains() {
    return PolicyChains.of(family(), settings);
  }

  private IpAddress.Family family() {
    return table().family() == io.fairlead.kernel.nftables.NftFamily.IP
        ? IpAddress.Family.IPV4
        : IpAddress.Family.IPV6;
  }

  /// Whether the chains and sets are those of this program.
  private boolean hasStructure() {
    Set<Chain> wanted = new HashSet<>();
    chains().values().forEach(content -> wanted.add(content.chain()));
    return wanted.equals(new HashSet<>(nftables.chains(table())))
        && new HashSet<>(layout.all()).equals(new HashSet<>(nftables.sets(table())));
  }

  private int rebuild(PolicyPlan plan, boolean exists) {
    if (ownable) {
      try {
        int changes = rebuild(plan, exists, true);
        owned = true;
        return changes;
      } catch (SystemCallException e) {
        if (!isUnsupported(e)) {
          throw e;
        }
        ownable = false;
      }
    }
    return rebuild(plan, exists, false);
  }

  private int rebuild(PolicyPlan plan, boolean exists, boolean own) {
    Transaction transaction = nftables.transaction();
    if (exists) {
      transaction.deleteTable(table());
    }
    if (own) {
      transaction.addOwnTable(table(), "");
    } else {
      transaction.addTable(table(), "");
    }
    for (SetSpecification set : layout.all()) {
      transaction.addSet(table(), set);
    }
    Map<String, PolicyChains.Content> chains = chains();
    // Chains first, then rules: rules go to chains that come later.
    chains.values().forEach(content -> transaction.addChain(table(), content.chain()));
    chains.forEach((name, content) -> addRules(transaction, name, content.rules()));
    for (PolicySet set : PolicySet.values()) {
      List<SetElement> elements = new ArrayList<>();
      plan.of(set).forEach((key, value) -> elements.addAll(layout.elements(set, key, value)));
      transaction.addElements(table(), layout.set(set), elements);
    }
    int changes = transaction.changes();
    transaction.commit();
    return changes;
  }

  private void addRules(Transaction transaction, String chain, List<NftRule> rules) {
    rules.forEach(rule -> transaction.addRule(table(), chain, rule));
  }

  private int writeDifference(PolicyPlan plan) {
    Map<PolicySet, List<PlanChange.Element>> changes = new EnumMap<>(PolicySet.class);
    for (PolicySet set : PolicySet.values()) {
      List<PlanChange.Element> elements = difference(read(set), plan.of(set));
      if (!elements.isEmpty()) {
        changes.put(set, elements);
      }
    }
    Transaction transaction = nftables.transaction();
    Map<String, List<ListedRule>> listed = nftables.rules(table());
    chains()
        .forEach(
            (name, content) -> {
              if (!sameRules(content.rules(), listed.getOrDefault(name, List.of()))) {
                transaction.flushChain(table(), name);
                addRules(transaction, name, content.rules());
              }
            });
    write(transaction, new PlanChange(plan.family(), changes));
    int count = transaction.changes();
    transaction.commit();
    return count;
  }

  private static List<PlanChange.Element> difference(
      Map<PlanKey, PlanValue> installed, Map<PlanKey, PlanValue> wanted) {
    List<PlanChange.Element> changes = new ArrayList<>();
    wanted.forEach(
        (key, value) -> {
          PlanValue cut = new PlanValue(value.number(), PolicyTableLayout.comment(value.comment()));
          PlanValue now = installed.get(key);
          if (!cut.equals(now)) {
            changes.add(new PlanChange.Element(key, now, value));
          }
        });
    installed.forEach(
        (key, value) -> {
          if (!wanted.containsKey(key)) {
            changes.add(new PlanChange.Element(key, value, null));
          }
        });
    return changes;
  }

  /// Counters aside.
  private static boolean sameRules(List<NftRule> wanted, List<ListedRule> listed) {
    if (wanted.size() != listed.size()) {
      return false;
    }
    for (int i = 0; i < wanted.size(); i++) {
      List<Expression> found =
          listed.get(i).rule().expressions().stream()
              .map(each -> each instanceof Expression.Counter ? new Expression.Counter(0, 0) : each)
              .toList();
      if (!wanted.get(i).expressions().equals(found)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void apply(PlanChange change) {
    Transaction transaction = nftables.transaction();
    write(transaction, change);
    transaction.commit();
  }

  /// Everything that goes or changes is deleted before anything is added: ranges must not overlap
  /// in between.
  private void write(Transaction transaction, PlanChange change) {
    for (PolicySet set : PolicySet.values()) {
      List<SetElement> gone = new ArrayList<>();
      for (PlanChange.Element element : change.of(set)) {
        if (element.before() != null) {
          gone.addAll(layout.elements(set, element.key(), element.before()));
        }
      }
      transaction.deleteElements(table(), layout.set(set), gone);
    }
    for (PolicySet set : PolicySet.values()) {
      List<SetElement> added = new ArrayList<>();
      for (PlanChange.Element element : change.of(set)) {
        if (element.after() != null) {
          added.addAll(layout.elements(set, element.key(), element.after()));
        }
      }
      transaction.addElements(table(), layout.set(set), added);
    }
  }

  @Override
  public Counters counters() {
    Map<Direction, Map<IpAddress, Long>> drops = new EnumMap<>(Direction.class);
    drops.put(Direction.EGRESS, drops(PolicySet.EGRESS_DROPS));
    drops.put(Direction.INGRESS, drops(PolicySet.INGRESS_DROPS));
    Map<String, List<ListedRule>> rules = nftables.rules(table());
    return new Counters(
        drops, counted(rules, "unknown"), counted(rules, "source"), counted(rules, "known"));
  }

  private Map<IpAddress, Long> drops(PolicySet set) {
    Map<IpAddress, Long> drops = new HashMap<>();
    for (SetElement element : nftables.elements(table(), layout.set(set).name())) {
      drops.put(IpAddress.ofBytes(element.key().toByteArray()), Math.max(0, element.packets()));
    }
    return drops;
  }

  private static long counted(Map<String, List<ListedRule>> rules, String chain) {
    long packets = 0;
    for (ListedRule rule : rules.getOrDefault(chain, List.of())) {
      for (Expression expression : rule.rule().expressions()) {
        if (expression instanceof Expression.Counter counter) {
          packets += counter.packets();
        }
      }
    }
    return packets;
  }

  @Override
  public void remove() {
    nftables.remove(table(), PolicyChains.ENTRANCES);
    owned = false;
  }

  @Override
  public void close() {
    nftables.close();
  }
}
