package io.fairlead.policy.core;

import io.fairlead.api.selector.LabelRequirement;
import io.fairlead.api.selector.LabelRequirement.Operator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A namespace with its pods, its policies, and the relevant peers that can match its pods, indexed
/// by the label they ask for: a pod is compared with few of them.
final class NamespaceEntry {
  private record Label(String key, String value) {}

  final String name;
  Map<String, String> labels;

  /// The object has been seen.
  boolean seen;

  final Set<PodEntry> pods = new LinkedHashSet<>();
  final Set<PodEntry> localPods = new LinkedHashSet<>();
  final Map<String, PolicyEntry> policies = new TreeMap<>();

  private final Set<PeerEntry> peers = new LinkedHashSet<>();
  private final Map<Label, Set<PeerEntry>> byLabel = new HashMap<>();
  private final Map<String, Set<PeerEntry>> byKey = new HashMap<>();
  private final Set<PeerEntry> others = new LinkedHashSet<>();

  NamespaceEntry(String name) {
    this.name = name;
    this.labels = PolicyNamespace.unseen(name);
  }

  boolean isUnused() {
    return !seen && pods.isEmpty() && policies.isEmpty();
  }

  /// Whether the pods of a peer may be in this namespace.
  boolean canHold(PolicyPeer.Pods peer) {
    return peer.namespace().map(name::equals).orElseGet(() -> peer.namespaces().matches(labels));
  }

  boolean has(PeerEntry peer) {
    return peers.contains(peer);
  }

  void add(PeerEntry peer) {
    if (peers.add(peer)) {
      LabelRequirement picked = picked(peer).orElse(null);
      if (picked == null) {
        others.add(peer);
      } else if (picked.operator() == Operator.EXISTS) {
        byKey.computeIfAbsent(picked.key(), _ -> new LinkedHashSet<>()).add(peer);
      } else {
        for (String value : picked.values()) {
          byLabel
              .computeIfAbsent(new Label(picked.key(), value), _ -> new LinkedHashSet<>())
              .add(peer);
        }
      }
    }
  }

  void remove(PeerEntry peer) {
    if (peers.remove(peer)) {
      LabelRequirement picked = picked(peer).orElse(null);
      if (picked == null) {
        others.remove(peer);
      } else if (picked.operator() == Operator.EXISTS) {
        drop(byKey, picked.key(), peer);
      } else {
        for (String value : picked.values()) {
          drop(byLabel, new Label(picked.key(), value), peer);
        }
      }
    }
  }

  private static <K> void drop(Map<K, Set<PeerEntry>> index, K key, PeerEntry peer) {
    Set<PeerEntry> found = index.get(key);
    if (found != null) {
      found.remove(peer);
      if (found.isEmpty()) {
        index.remove(key);
      }
    }
  }

  /// The requirement a peer is found by: one that only pods with a certain label satisfy.
  private static Optional<LabelRequirement> picked(PeerEntry peer) {
    LabelRequirement exists = null;
    for (LabelRequirement requirement : ((PolicyPeer.Pods) peer.peer).pods().requirements()) {
      if (requirement.operator() == Operator.IN) {
        return Optional.of(requirement);
      }
      if (requirement.operator() == Operator.EXISTS) {
        exists = requirement;
      }
    }
    return Optional.ofNullable(exists);
  }

  /// The peers here that match a pod with these labels.
  TreeSet<PeerEntry> matching(Map<String, String> podLabels) {
    TreeSet<PeerEntry> found = new TreeSet<>();
    if (peers.isEmpty()) {
      return found;
    }
    podLabels.forEach(
        (key, value) -> {
          addMatching(byLabel.get(new Label(key, value)), podLabels, found);
          addMatching(byKey.get(key), podLabels, found);
        });
    addMatching(others, podLabels, found);
    return found;
  }

  private static void addMatching(
      @org.jspecify.annotations.Nullable Set<PeerEntry> candidates,
      Map<String, String> podLabels,
      TreeSet<PeerEntry> found) {
    if (candidates != null) {
      for (PeerEntry peer : candidates) {
        if (((PolicyPeer.Pods) peer.peer).pods().matches(podLabels)) {
          found.add(peer);
        }
      }
    }
  }
}
