package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Keeps the plan of one family and one node in step with objects, at the cost of what a change
/// affects.
///
/// How it works: objects come one by one and only mark what may be other; [#drain] then computes
/// it. Rules can tell about an address only which relevant peers and blocks match it, so addresses
/// with the same answer share a *class*. Local pods with the same policies share a *profile*, which
/// has a grant for each class that any of its rules tells apart. A new class is compared with the
/// profiles that name one of its peers, a new profile with the classes that its peers are part of.
///
/// Owned by one thread.
public final class PolicyPlanner {
  private final IpAddress.Family family;
  private final String node;
  private final PlanTables tables;
  private final ClassTable classes = new ClassTable();
  private final GrantNumbers grants;
  private final RelevantPeers peers;
  private final ProfileTable profiles;
  private final Map<String, NamespaceEntry> namespaces = new TreeMap<>();
  private final TreeMap<IpAddress, PodEntry> pods = new TreeMap<>();
  private final Map<ObjectKey, PolicyPod> objects = new HashMap<>();
  private final Map<IpAddress, List<PolicyPod>> claims = new HashMap<>();
  private final Set<PodEntry> dirty = new LinkedHashSet<>();
  private final List<PolicyEntry> left = new ArrayList<>();
  private final Set<IpAddress> released = new LinkedHashSet<>();
  private Set<IpAddress> nodeAddresses = Set.of();
  private SharedAddressListener shared = (_, _, _) -> {};

  public PolicyPlanner(IpAddress.Family family, String node) {
    this.family = family;
    this.node = node;
    this.tables = new PlanTables(family);
    this.grants = new GrantNumbers(tables);
    this.peers = new RelevantPeers(family, tables, classes, pods, namespaces.values());
    this.profiles = new ProfileTable(tables, grants, classes, peers::entry);
    peers.onNewClass(profiles::classAppeared, profiles::classRenamed);
  }

  /// Learns of an address that two pods claim.
  @FunctionalInterface
  public interface SharedAddressListener {
    void shared(IpAddress address, PolicyPod loser, PolicyPod winner);
  }

  /// @param listener is called when a pod does not get its address because another has it
  public void onSharedAddress(SharedAddressListener listener) {
    shared = listener;
  }

  public IpAddress.Family family() {
    return family;
  }

  /// Keeps the numbers the kernel has for classes and grants, as far as they are the same. Before
  /// the first object.
  ///
  /// @param classNumbers by an address that has the class, or the first of a range
  public void adopt(Map<IpAddress, Integer> classNumbers, Map<Grant, Integer> grantNumbers) {
    classes.adopt(classNumbers);
    grants.adopt(grantNumbers);
  }

  /// Takes in many objects. The numbers of the plan do not depend on their order.
  public void load(
      Collection<PolicyNamespace> newNamespaces,
      Collection<PolicyPod> newPods,
      Collection<NetworkPolicy> newPolicies) {
    newNamespaces.stream().sorted(Comparator.comparing(PolicyNamespace::name)).forEach(this::put);
    newPods.stream().sorted(Comparator.comparing(pod -> pod.key().toString())).forEach(this::put);
    newPolicies.stream()
        .sorted(Comparator.comparing(policy -> policy.key().toString()))
        .forEach(this::put);
  }

  public void nodeAddresses(Set<IpAddress> addresses) {
    Set<IpAddress> changed = new LinkedHashSet<>(addresses);
    changed.removeAll(nodeAddresses);
    nodeAddresses.stream().filter(address -> !addresses.contains(address)).forEach(changed::add);
    nodeAddresses = Set.copyOf(addresses);
    changed.forEach(this::elect);
  }

  public void put(PolicyNamespace namespace) {
    NamespaceEntry entry = namespace(namespace.name());
    entry.seen = true;
    relabel(entry, namespace.labels());
  }

  public void removeNamespace(String name) {
    NamespaceEntry entry = namespaces.get(name);
    if (entry != null) {
      entry.seen = false;
      relabel(entry, PolicyNamespace.unseen(name));
      forget(entry);
    }
  }

  private void relabel(NamespaceEntry entry, Map<String, String> labels) {
    if (!entry.labels.equals(labels)) {
      entry.labels = labels;
      peers.relabelled(entry);
    }
  }

  private NamespaceEntry namespace(String name) {
    NamespaceEntry entry = namespaces.get(name);
    if (entry == null) {
      entry = new NamespaceEntry(name);
      namespaces.put(name, entry);
      peers.relabelled(entry);
    }
    return entry;
  }

  private void forget(NamespaceEntry entry) {
    if (entry.isUnused()) {
      namespaces.remove(entry.name);
    }
  }

  public void put(PolicyPod pod) {
    replace(objects.put(pod.key(), pod), pod);
  }

  public void removePod(ObjectKey key) {
    replace(objects.remove(key), null);
  }

  private void replace(@Nullable PolicyPod old, @Nullable PolicyPod now) {
    IpAddress before = old == null ? null : old.address(family).orElse(null);
    IpAddress after = now == null ? null : now.address(family).orElse(null);
    if (before != null) {
      List<PolicyPod> claiming = claims.getOrDefault(before, new ArrayList<>());
      claiming.remove(old);
      if (claiming.isEmpty()) {
        claims.remove(before);
      }
    }
    if (after != null && now != null) {
      claims.computeIfAbsent(after, _ -> new ArrayList<>(1)).add(now);
    }
    if (before != null && !before.equals(after)) {
      elect(before);
    }
    if (after != null) {
      elect(after);
    }
  }

  /// Finds out which pod has an address.
  private void elect(IpAddress address) {
    if (address.family() != family) {
      return;
    }
    PolicyPod winner =
        nodeAddresses.contains(address)
            ? null
            : claims.getOrDefault(address, List.of()).stream().max(PolicyPod.CLAIM).orElse(null);
    List<PolicyPod> claiming = claims.getOrDefault(address, List.of());
    if (winner != null && claiming.size() > 1) {
      claiming.stream()
          .filter(pod -> !isSame(pod, winner))
          .forEach(loser -> shared.shared(address, loser, winner));
    }
    PodEntry entry = pods.get(address);
    if (entry != null && (winner == null || !isSame(entry.pod, winner))) {
      remove(entry);
      entry = null;
    }
    if (winner != null && entry == null) {
      add(address, winner);
    } else if (winner != null && entry != null) {
      update(entry, winner);
    }
  }

  private static boolean isSame(PolicyPod one, PolicyPod other) {
    return one.key().equals(other.key())
        && one.metadata().uid().equals(other.metadata().uid())
        && one.node().equals(other.node());
  }

  private void add(IpAddress address, PolicyPod pod) {
    NamespaceEntry namespace = namespace(pod.namespace());
    PodEntry entry = new PodEntry(address, pod.node().equals(node), namespace, pod);
    pods.put(address, entry);
    namespace.pods.add(entry);
    if (entry.local) {
      namespace.localPods.add(entry);
      dirty.add(entry);
      tables.put(
          PolicySet.PODS, new PlanKey.OfAddress(address), new PlanValue(0, pod.key().toString()));
    }
    peers.changed(entry);
  }

  private void update(PodEntry entry, PolicyPod pod) {
    PolicyPod old = entry.pod;
    entry.pod = pod;
    if (!old.labels().equals(pod.labels()) || !old.ports().equals(pod.ports())) {
      peers.changed(entry);
      if (entry.local) {
        dirty.add(entry);
      }
    }
  }

  private void remove(PodEntry entry) {
    pods.remove(entry.address);
    entry.namespace.pods.remove(entry);
    peers.gone(entry);
    if (entry.local) {
      entry.namespace.localPods.remove(entry);
      dirty.remove(entry);
      for (Direction direction : Direction.values()) {
        profiles.leave(entry, direction);
      }
      left.addAll(entry.applied);
      tables.remove(PolicySet.PODS, new PlanKey.OfAddress(entry.address));
      released.add(entry.address);
    }
    forget(entry.namespace);
  }

  public void put(NetworkPolicy policy) {
    NamespaceEntry namespace = namespace(policy.namespace());
    PolicyEntry now = new PolicyEntry(policy);
    PolicyEntry old = namespace.policies.put(policy.metadata().name(), now);
    for (PodEntry pod : namespace.localPods) {
      if ((old != null && pod.applied.contains(old)) || now.appliesTo(pod)) {
        dirty.add(pod);
      }
    }
  }

  public void removePolicy(ObjectKey key) {
    NamespaceEntry namespace = namespaces.get(key.namespace());
    PolicyEntry old = namespace == null ? null : namespace.policies.remove(key.name());
    if (namespace != null && old != null) {
      for (PodEntry pod : namespace.localPods) {
        if (pod.applied.contains(old)) {
          dirty.add(pod);
        }
      }
      forget(namespace);
    }
  }

  /// Computes what the marked pods have now. What begins to be relevant does so before what ends,
  /// so that what both need keeps its numbers.
  private void settle() {
    List<PodEntry> changed = List.copyOf(dirty);
    dirty.clear();
    for (PodEntry pod : changed) {
      apply(pod);
    }
    peers.settle();
    for (PodEntry pod : changed) {
      isolate(pod);
    }
    profiles.dispose();
    for (PolicyEntry policy : left) {
      if (--policy.localPods == 0) {
        peers.deactivate(policy);
      }
    }
    left.clear();
    peers.settle();
    classes.dispose(profiles::classGone);
  }

  private void apply(PodEntry pod) {
    Set<PolicyEntry> now = new LinkedHashSet<>();
    for (PolicyEntry policy : pod.namespace.policies.values()) {
      if (policy.appliesTo(pod)) {
        now.add(policy);
      }
    }
    for (PolicyEntry policy : now) {
      if (!pod.applied.contains(policy) && policy.localPods++ == 0) {
        peers.activate(policy);
      }
    }
    for (PolicyEntry policy : pod.applied) {
      if (!now.contains(policy)) {
        left.add(policy);
      }
    }
    pod.applied = now;
  }

  private void isolate(PodEntry pod) {
    for (Direction direction : Direction.values()) {
      List<PolicyEntry> isolating =
          pod.applied.stream().filter(policy -> policy.policy.types().contains(direction)).toList();
      if (isolating.isEmpty()) {
        profiles.leave(pod, direction);
        continue;
      }
      SortedMap<PortName, SortedSet<Integer>> ports = new TreeMap<>();
      if (direction == Direction.INGRESS) {
        for (PolicyEntry policy : isolating) {
          ports.putAll(GrantProfile.resolve(policy.names(direction), pod.pod.ports()));
        }
      }
      profiles.join(pod, new GrantProfile.Key(direction, isolating, ports));
    }
  }

  /// What is other than at the last call.
  public PlanChange drain() {
    settle();
    PlanChange change = tables.drain(released);
    released.clear();
    return change;
  }

  /// The kernel shows everything that was drained.
  public void acknowledged() {
    classes.acknowledged();
    grants.acknowledged();
  }

  /// The whole plan; costs as much as it holds.
  public PolicyPlan plan() {
    settle();
    return tables.copy();
  }

  /// How many elements a set has.
  public int size(PolicySet set) {
    return tables.size(set);
  }

  public int classes() {
    return classes.count();
  }

  public int grants() {
    return grants.count();
  }

  /// The pod that has an address.
  public Optional<PolicyPod> pod(IpAddress address) {
    return Optional.ofNullable(pods.get(address)).map(entry -> entry.pod);
  }
}
