package io.fairlead.controller.garbage;

import io.fairlead.client.DeleteOptions.Propagation;
import io.fairlead.controller.garbage.OwnerGraph.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What is to be done about one object. Pure: from the object, what is known of its owners, and its
/// dependents (spec/controllers.md 4.7).
sealed interface GarbageAction {
  /// Nothing.
  record Keep() implements GarbageAction {}

  /// Delete it: no owner is left.
  record Delete(Propagation propagation) implements GarbageAction {}

  /// Take these owners out of its list; others hold it.
  record DropOwners(Set<String> uids) implements GarbageAction {}

  /// Take itself out of its dependents' lists, then let it go.
  record Orphan(List<Node> dependents) implements GarbageAction {}

  /// Look at its dependents; it goes after those that block it.
  record DeleteDependents(List<Node> dependents) implements GarbageAction {}

  /// Nothing blocks it any more: let it go.
  record Release() implements GarbageAction {}

  /// What an owner is to its dependent.
  enum Owner {
    /// It exists and stays, or at least does not wait for its dependents.
    SOLID,
    /// It is gone, or another object has its name now.
    DANGLING,
    /// It is being deleted and waits for its dependents.
    WAITING
  }

  /// @param owners what each owner reference stands for, by uid
  /// @param blockers those it has to wait for when it waits for its dependents
  static GarbageAction of(
      Node node, List<Owned> owners, List<Node> dependents, List<Node> blockers) {
    if (node.orphansDependents()) {
      return new Orphan(dependents);
    }
    if (node.waitsForDependents()) {
      if (blockers.isEmpty()) {
        return new Release();
      }
      // One that is being deleted already goes by itself; to look at it again changes nothing.
      return new DeleteDependents(
          dependents.stream().filter(dependent -> !dependent.meta().beingDeleted()).toList());
    }
    if (node.meta().beingDeleted() || owners.isEmpty()) {
      return new Keep();
    }
    return ofOwned(node, owners, dependents);
  }

  /// One owner reference, judged.
  record Owned(String uid, Owner owner) {}

  private static GarbageAction ofOwned(Node node, List<Owned> owners, List<Node> dependents) {
    List<Owned> solid = new ArrayList<>();
    Set<String> others = new TreeSet<>();
    boolean waiting = false;
    for (Owned owned : owners) {
      if (owned.owner() == Owner.SOLID) {
        solid.add(owned);
      } else {
        others.add(owned.uid());
        waiting |= owned.owner() == Owner.WAITING;
      }
    }
    if (!solid.isEmpty()) {
      return others.isEmpty() ? new Keep() : new DropOwners(others);
    }
    if (waiting && !dependents.isEmpty()) {
      return new Delete(Propagation.FOREGROUND);
    }
    if (node.meta().finalizers().contains(OwnerGraph.ORPHAN)) {
      return new Delete(Propagation.ORPHAN);
    }
    return node.meta().finalizers().contains(OwnerGraph.FOREGROUND)
        ? new Delete(Propagation.FOREGROUND)
        : new Delete(Propagation.BACKGROUND);
  }
}
