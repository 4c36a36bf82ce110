package io.fairlead.policy.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;

/// What local pods are granted in one direction by the same policies: computed once for all pods of
/// a workload.
final class GrantProfile {
  /// @param policies that isolate, by name
  /// @param ports for ingress, the pod's numbers for the names these policies use
  record Key(
      Direction direction,
      List<PolicyEntry> policies,
      SortedMap<PortName, SortedSet<Integer>> ports) {}

  /// A rule whose ports have names that each destination resolves for itself.
  private record NamedRule(
      Set<PeerEntry> peers, boolean anyone, boolean allPods, Set<PortName> names) {
    boolean matches(ClassEntry.Key peer) {
      return anyone || (allPods && peer.pod()) || peer.peers().stream().anyMatch(peers::contains);
    }
  }

  /// What the rules grant, rule by rule.
  private record Collected(
      List<Grant> anyone, List<Grant> allPods, Map<PeerEntry, List<Grant>> byPeer) {}

  final Key key;
  final Set<PodEntry> pods = new LinkedHashSet<>();

  /// The peers its rules name.
  final Map<PeerEntry, Grant> byPeer = new LinkedHashMap<>();

  /// Grants of classes that differ from those below.
  final Map<ClassEntry, Grant> byClass = new LinkedHashMap<>();

  private final List<NamedRule> named = new ArrayList<>();
  final Grant anyone;
  final Grant anypod;

  /// @param peerOf the entry of a `Pods` peer or a block
  GrantProfile(Key key, Function<PolicyPeer, PeerEntry> peerOf) {
    this.key = key;
    Collected collected =
        new Collected(new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
    for (PolicyEntry policy : key.policies()) {
      for (NetworkPolicyRule rule : policy.policy.rules(key.direction())) {
        add(rule, peerOf, collected);
      }
    }
    anyone = Grant.unionOf(collected.anyone());
    anypod = Grant.unionOf(collected.allPods()).union(anyone);
    collected.byPeer().forEach((peer, ports) -> byPeer.put(peer, Grant.unionOf(ports)));
  }

  private void add(
      NetworkPolicyRule rule, Function<PolicyPeer, PeerEntry> peerOf, Collected collected) {
    Grant ports = ports(rule);
    Set<PeerEntry> peers = new LinkedHashSet<>();
    boolean toAnyone = false;
    boolean toAllPods = false;
    for (PolicyPeer peer : rule.peers()) {
      switch (peer) {
        case PolicyPeer.Anyone() -> {
          collected.anyone().add(ports);
          toAnyone = true;
        }
        case PolicyPeer.AllPods() -> {
          collected.allPods().add(ports);
          toAllPods = true;
        }
        case PolicyPeer.Pods _, PolicyPeer.Block _ -> {
          PeerEntry entry = peerOf.apply(peer);
          collected.byPeer().computeIfAbsent(entry, _ -> new ArrayList<>()).add(ports);
          peers.add(entry);
        }
        case PolicyPeer.Nothing() -> {}
      }
    }
    Set<PortName> names = new LinkedHashSet<>();
    for (PolicyPort port : rule.ports()) {
      if (key.direction() == Direction.EGRESS && port instanceof PolicyPort.Named(PortName name)) {
        names.add(name);
      }
    }
    if (!names.isEmpty()) {
      named.add(new NamedRule(peers, toAnyone, toAllPods, names));
    }
  }

  private Grant ports(NetworkPolicyRule rule) {
    List<Grant.Ports> ranges = new ArrayList<>();
    for (PolicyPort port : rule.ports()) {
      switch (port) {
        case PolicyPort.Everything() -> {
          return Grant.EVERYTHING;
        }
        case PolicyPort.Range(IpProtocol protocol, int first, int last) ->
            ranges.add(new Grant.Ports(protocol.number(), first, last));
        case PolicyPort.Named(PortName name) -> addNumbers(name, key.ports(), ranges);
        case PolicyPort.Nothing() -> {}
      }
    }
    return Grant.of(ranges);
  }

  private static void addNumbers(
      PortName name, Map<PortName, SortedSet<Integer>> known, List<Grant.Ports> ranges) {
    SortedSet<Integer> numbers = known.get(name);
    if (numbers != null) {
      for (int number : numbers) {
        ranges.add(new Grant.Ports(name.protocol().number(), number, number));
      }
    }
  }

  /// Whether a class that none of its peers is part of may still have a grant of its own.
  boolean resolvesNames() {
    return !named.isEmpty();
  }

  /// What a class is granted when nothing is stored for it.
  Grant otherwise(ClassEntry.Key peer) {
    return peer.pod() ? anypod : anyone;
  }

  /// What a class is granted.
  Grant grant(ClassEntry.Key peer) {
    List<Grant> grants = new ArrayList<>(List.of(otherwise(peer)));
    for (PeerEntry each : peer.peers()) {
      Grant ports = byPeer.get(each);
      if (ports != null) {
        grants.add(ports);
      }
    }
    Grant grant = grants.size() == 1 ? grants.getFirst() : Grant.unionOf(grants);
    if (peer.ports().isEmpty()) {
      return grant;
    }
    List<Grant.Ports> ranges = new ArrayList<>();
    for (NamedRule rule : named) {
      if (rule.matches(peer)) {
        rule.names().forEach(name -> addNumbers(name, peer.ports(), ranges));
      }
    }
    return grant.union(Grant.of(ranges));
  }

  /// The numbers a pod has for names.
  static SortedMap<PortName, SortedSet<Integer>> resolve(
      Iterable<PortName> names, Map<PortName, SortedSet<Integer>> ports) {
    SortedMap<PortName, SortedSet<Integer>> resolved = new TreeMap<>();
    for (PortName name : names) {
      SortedSet<Integer> numbers = ports.get(name);
      if (numbers != null) {
        resolved.put(name, numbers);
      }
    }
    return resolved;
  }

  /// `x/a by deny-all, web`.
  String comment(PodEntry pod) {
    StringBuilder text = new StringBuilder(pod.pod.key().toString()).append(" by ");
    for (int i = 0; i < key.policies().size(); i++) {
      text.append(i == 0 ? "" : ", ").append(key.policies().get(i).policy.metadata().name());
    }
    return text.toString();
  }
}
