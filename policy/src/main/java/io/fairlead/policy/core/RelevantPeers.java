package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The peers, blocks and port names that policies of local pods name, and so the class of every
/// address. It also keeps the elements of classes and blocks.
final class RelevantPeers {
  private final IpAddress.Family family;
  private final PlanTables tables;
  private final ClassTable classes;
  private final NavigableMap<IpAddress, PodEntry> pods;
  private final Collection<NamespaceEntry> namespaces;
  private final Map<PolicyPeer, PeerEntry> peers = new HashMap<>();
  // Those that a selector of namespaces leads to.
  private final Set<PeerEntry> anyNamespace = new LinkedHashSet<>();
  private final AddressBlocks blocks = new AddressBlocks();
  private final Map<AddressBlocks.Piece, ClassEntry> pieces = new HashMap<>();
  // What has changed since blocks were settled last.
  private final Set<AddressBlocks.Piece> oldPieces = new LinkedHashSet<>();
  private final Set<AddressBlocks.Piece> newPieces = new LinkedHashSet<>();
  private final Map<PortName, Integer> names = new TreeMap<>();
  private final Set<PodEntry> stale = new LinkedHashSet<>();
  private int allPods;
  private int peersSeen;
  private Consumer<ClassEntry> appeared = _ -> {};
  private Consumer<ClassEntry> renamed = _ -> {};

  RelevantPeers(
      IpAddress.Family family,
      PlanTables tables,
      ClassTable classes,
      NavigableMap<IpAddress, PodEntry> pods,
      Collection<NamespaceEntry> namespaces) {
    this.family = family;
    this.tables = tables;
    this.classes = classes;
    this.pods = pods;
    this.namespaces = namespaces;
  }

  /// @param receiver is told of a class that no address had
  /// @param changed is told of a class whose addresses all have another key now
  void onNewClass(Consumer<ClassEntry> receiver, Consumer<ClassEntry> changed) {
    appeared = receiver;
    renamed = changed;
  }

  PeerEntry entry(PolicyPeer peer) {
    PeerEntry entry = peers.get(peer);
    if (entry == null) {
      throw new IllegalStateException("not relevant: " + peer);
    }
    return entry;
  }

  /// A policy applies to its first local pod.
  void activate(PolicyEntry policy) {
    for (Direction direction : Direction.values()) {
      for (NetworkPolicyRule rule : policy.policy.rules(direction)) {
        for (PolicyPeer peer : rule.peers()) {
          if (peer instanceof PolicyPeer.Pods || peer instanceof PolicyPeer.Block) {
            PeerEntry entry = peers.computeIfAbsent(peer, each -> new PeerEntry(peersSeen++, each));
            policy.peers.add(entry);
            if (entry.relevance++ == 0) {
              appear(entry);
            }
          }
        }
      }
    }
    boolean all = needsAll();
    allPods += policy.namesAllPods();
    for (PortName name : policy.names(Direction.EGRESS)) {
      if (names.merge(name, 1, Integer::sum) == 1) {
        staleByName(name);
      }
    }
    if (all != needsAll()) {
      stale.addAll(pods.values());
    }
  }

  /// It applies to none any more.
  void deactivate(PolicyEntry policy) {
    for (PeerEntry entry : policy.peers) {
      if (--entry.relevance == 0) {
        disappear(entry);
        peers.remove(entry.peer);
      }
    }
    policy.peers.clear();
    boolean all = needsAll();
    allPods -= policy.namesAllPods();
    for (PortName name : policy.names(Direction.EGRESS)) {
      if (names.merge(name, -1, Integer::sum) == 0) {
        names.remove(name);
        staleByName(name);
      }
    }
    if (all != needsAll()) {
      stale.addAll(pods.values());
    }
  }

  private void staleByName(PortName name) {
    for (PodEntry pod : pods.values()) {
      if (pod.pod.ports().containsKey(name)) {
        stale.add(pod);
      }
    }
  }

  private void appear(PeerEntry entry) {
    switch (entry.peer) {
      case PolicyPeer.Pods selected -> {
        if (selected.namespace().isEmpty()) {
          anyNamespace.add(entry);
        }
        for (NamespaceEntry namespace : namespaces) {
          if (namespace.canHold(selected)) {
            add(entry, namespace);
          }
        }
      }
      case PolicyPeer.Block block -> block(entry, block, true);
      case PolicyPeer.Anyone _, PolicyPeer.AllPods _, PolicyPeer.Nothing _ -> {}
    }
  }

  private void disappear(PeerEntry entry) {
    switch (entry.peer) {
      case PolicyPeer.Pods _ -> {
        anyNamespace.remove(entry);
        for (NamespaceEntry namespace : namespaces) {
          if (namespace.has(entry)) {
            remove(entry, namespace);
          }
        }
      }
      case PolicyPeer.Block block -> block(entry, block, false);
      case PolicyPeer.Anyone _, PolicyPeer.AllPods _, PolicyPeer.Nothing _ -> {}
    }
  }

  private void add(PeerEntry entry, NamespaceEntry namespace) {
    namespace.add(entry);
    Selector labels = ((PolicyPeer.Pods) entry.peer).pods();
    for (PodEntry pod : namespace.pods) {
      if (labels.matches(pod.pod.labels()) && pod.peers.add(entry)) {
        stale.add(pod);
      }
    }
  }

  private void remove(PeerEntry entry, NamespaceEntry namespace) {
    namespace.remove(entry);
    for (PodEntry pod : namespace.pods) {
      if (pod.peers.remove(entry)) {
        stale.add(pod);
      }
    }
  }

  private void block(PeerEntry entry, PolicyPeer.Block block, boolean add) {
    if (block.cidr().family() != family) {
      return;
    }
    for (AddressBlocks.Range range : AddressBlocks.ranges(block)) {
      AddressBlocks.Difference difference =
          add ? blocks.add(entry, range) : blocks.remove(entry, range);
      for (AddressBlocks.Piece piece : difference.removed()) {
        if (!newPieces.remove(piece)) {
          oldPieces.add(piece);
        }
      }
      for (AddressBlocks.Piece piece : difference.added()) {
        if (!oldPieces.remove(piece)) {
          newPieces.add(piece);
        }
      }
      for (PodEntry pod : pods.subMap(range.first(), true, range.last(), true).values()) {
        if (pod.addressClass != null) {
          stale.add(pod);
        }
      }
    }
  }

  /// A namespace is new, or its labels are others.
  void relabelled(NamespaceEntry namespace) {
    for (PeerEntry entry : anyNamespace) {
      boolean has = namespace.has(entry);
      if (has != namespace.canHold((PolicyPeer.Pods) entry.peer)) {
        if (has) {
          remove(entry, namespace);
        } else {
          add(entry, namespace);
        }
      }
    }
  }

  /// A pod is new, or its labels or ports are others.
  void changed(PodEntry pod) {
    pod.peers = pod.namespace.matching(pod.pod.labels());
    stale.add(pod);
  }

  /// A pod has no address any more.
  void gone(PodEntry pod) {
    stale.remove(pod);
    ClassEntry old = pod.addressClass;
    if (old != null) {
      pod.addressClass = null;
      tables.remove(PolicySet.CLASSES, new PlanKey.OfAddress(pod.address));
      classes.release(old);
    }
  }

  private boolean needsAll() {
    return allPods > 0 || !names.isEmpty();
  }

  /// Gives pods and blocks their classes that may have others now.
  void settle() {
    settleBlocks();
    Map<PodEntry, Optional<ClassEntry.Key>> keys = new LinkedHashMap<>();
    stale.forEach(pod -> keys.put(pod, key(pod)));
    stale.clear();
    rename(keys);
    keys.forEach((pod, key) -> key.ifPresentOrElse(k -> classify(pod, k), () -> gone(pod)));
  }

  /// Where all pods of a class go to one class that is not there yet, the class itself does: a
  /// policy that names a workload changes no element of the pods that others grant it.
  private void rename(Map<PodEntry, Optional<ClassEntry.Key>> keys) {
    Map<ClassEntry, Map<Optional<ClassEntry.Key>, Integer>> moves = new LinkedHashMap<>();
    keys.forEach(
        (pod, key) -> {
          if (pod.addressClass != null) {
            moves
                .computeIfAbsent(pod.addressClass, _ -> new HashMap<>())
                .merge(key, 1, Integer::sum);
          }
        });
    moves.forEach(
        (entry, to) -> {
          Optional<ClassEntry.Key> key = to.keySet().iterator().next();
          if (to.size() == 1
              && key.isPresent()
              && to.containsValue(entry.references)
              && !classes.has(key.get())) {
            classes.rename(entry, key.get(), renamed);
          }
        });
  }

  /// What rules can tell about a pod; empty when no element is needed to tell it.
  private Optional<ClassEntry.Key> key(PodEntry pod) {
    if (pod.peers.isEmpty() && !needsAll()) {
      return Optional.empty();
    }
    TreeSet<PeerEntry> all = new TreeSet<>(pod.peers);
    all.addAll(blocks.at(pod.address));
    return Optional.of(
        new ClassEntry.Key(
            true, List.copyOf(all), GrantProfile.resolve(names.keySet(), pod.pod.ports())));
  }

  /// Only what is left when all blocks are known gets a class: one that is cut again at once would
  /// take the number that its successor has in the kernel.
  private void settleBlocks() {
    for (AddressBlocks.Piece piece : oldPieces) {
      tables.remove(PolicySet.BLOCKS, new PlanKey.OfRange(piece.first(), piece.last()));
    }
    for (AddressBlocks.Piece piece : newPieces) {
      ClassEntry.Key key = new ClassEntry.Key(false, piece.blocks(), new TreeMap<>());
      ClassEntry found = classes.acquire(key, piece.first(), appeared);
      pieces.put(piece, found);
      tables.put(
          PolicySet.BLOCKS,
          new PlanKey.OfRange(piece.first(), piece.last()),
          new PlanValue(found.number, ""));
    }
    for (AddressBlocks.Piece piece : oldPieces) {
      ClassEntry old = pieces.remove(piece);
      if (old != null) {
        classes.release(old);
      }
    }
    oldPieces.clear();
    newPieces.clear();
  }

  private void classify(PodEntry pod, ClassEntry.Key key) {
    ClassEntry old = pod.addressClass;
    ClassEntry now = old;
    if (now == null || !now.key.equals(key)) {
      now = classes.acquire(key, pod.address, appeared);
      pod.addressClass = now;
      if (old != null) {
        classes.release(old);
      }
    }
    tables.put(
        PolicySet.CLASSES,
        new PlanKey.OfAddress(pod.address),
        new PlanValue(now.number, pod.pod.key().toString()));
  }
}
