package io.fairlead.controller.garbage;

import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Who owns whom, by uid, as far as it has been seen. Guarded by its own lock.
///
/// An owner is known only when it has itself been seen: a reference to a uid proves nothing.
final class OwnerGraph {
  static final String FOREGROUND = "foregroundDeletion";
  static final String ORPHAN = "orphan";

  /// One object that exists, or did when it was last seen.
  record Node(ResourceType type, ObjectMeta meta) {
    String uid() {
      return meta.uid();
    }

    /// It goes only after its dependents.
    boolean waitsForDependents() {
      return meta.beingDeleted() && meta.finalizers().contains(FOREGROUND);
    }

    /// It goes after its dependents were let free.
    boolean orphansDependents() {
      return meta.beingDeleted() && meta.finalizers().contains(ORPHAN);
    }

    boolean blocks(String ownerUid) {
      return meta.ownerReferences().stream()
          .anyMatch(owner -> owner.uid().equals(ownerUid) && owner.blockOwnerDeletion());
    }
  }

  private final Map<String, Node> nodes = new HashMap<>();
  private final Map<String, Set<String>> dependents = new HashMap<>();

  synchronized Optional<Node> get(String uid) {
    return Optional.ofNullable(nodes.get(uid));
  }

  /// The uids of all objects of a kind.
  synchronized List<String> ofType(ResourceType type) {
    return nodes.values().stream().filter(node -> node.type().equals(type)).map(Node::uid).toList();
  }

  /// The objects that name that uid as an owner.
  synchronized List<Node> dependents(String uid) {
    List<Node> found = new ArrayList<>();
    for (String dependent : dependents.getOrDefault(uid, Set.of())) {
      Node node = nodes.get(dependent);
      if (node != null) {
        found.add(node);
      }
    }
    return found;
  }

  /// The dependents an object that waits has to wait for. Objects that own each other in a circle,
  /// all of them waiting, would wait for ever: they count as one, which waits for what is outside.
  synchronized List<Node> blockers(String uid) {
    Set<String> circle = new HashSet<>(Set.of(uid));
    Set<String> below = reachable(uid);
    if (below.contains(uid)) {
      below.stream().filter(other -> reachable(other).contains(uid)).forEach(circle::add);
    }
    List<Node> found = new ArrayList<>();
    for (String member : circle) {
      for (Node dependent : dependents(member)) {
        if (dependent.blocks(member) && !circle.contains(dependent.uid())) {
          found.add(dependent);
        }
      }
    }
    return found;
  }

  /// The waiting objects one waits for, at any distance; itself when it is in a circle.
  private Set<String> reachable(String uid) {
    Set<String> reached = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(Set.of(uid));
    while (!open.isEmpty()) {
      String owner = open.remove();
      for (Node dependent : dependents(owner)) {
        if (dependent.waitsForDependents()
            && dependent.blocks(owner)
            && reached.add(dependent.uid())) {
          open.add(dependent.uid());
        }
      }
    }
    return reached;
  }

  /// Notes an object and returns the uids to be checked because of it.
  synchronized Set<String> put(Node node) {
    Node old = nodes.put(node.uid(), node);
    Set<String> look = new HashSet<>();
    Map<String, OwnerReference> before = owners(old);
    Map<String, OwnerReference> now = owners(node);
    before.keySet().stream()
        .filter(uid -> !now.containsKey(uid))
        .forEach(uid -> forget(uid, node.uid()));
    now.keySet()
        .forEach(uid -> dependents.computeIfAbsent(uid, _ -> new HashSet<>()).add(node.uid()));
    if (!before.equals(now)) {
      look.add(node.uid());
      // An owner that waits for us may wait no longer.
      look.addAll(before.keySet());
    }
    if (node.waitsForDependents() || node.orphansDependents()) {
      look.add(node.uid());
    }
    return look;
  }

  /// Forgets an object and returns the uids to be checked: those it owned and those it made wait.
  synchronized Set<String> remove(String uid) {
    Node old = nodes.remove(uid);
    Set<String> look = new HashSet<>(dependents.getOrDefault(uid, Set.of()));
    for (String owner : owners(old).keySet()) {
      forget(owner, uid);
      look.add(owner);
    }
    return look;
  }

  private void forget(String owner, String dependent) {
    dependents.computeIfPresent(
        owner,
        (_, all) -> {
          all.remove(dependent);
          return all.isEmpty() ? null : all;
        });
  }

  private static Map<String, OwnerReference> owners(@org.jspecify.annotations.Nullable Node node) {
    Map<String, OwnerReference> owners = new LinkedHashMap<>();
    if (node != null) {
      node.meta().ownerReferences().forEach(owner -> owners.put(owner.uid(), owner));
    }
    return owners;
  }
}
