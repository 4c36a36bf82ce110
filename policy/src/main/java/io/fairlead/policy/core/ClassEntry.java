package io.fairlead.policy.core;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/// A class of addresses that some address has.
final class ClassEntry {
  /// What rules can tell about an address.
  ///
  /// @param pod whether it is a counted pod
  /// @param peers the relevant peers and blocks that match it, sorted
  /// @param ports its numbers for the names that egress rules use
  record Key(boolean pod, List<PeerEntry> peers, SortedMap<PortName, SortedSet<Integer>> ports) {}

  /// Changes only when it does for all addresses that have the class.
  Key key;

  final int number;

  /// How many elements have this class.
  int references;

  /// The profiles that have a grant of their own for it.
  final Set<GrantProfile> granted = new LinkedHashSet<>();

  ClassEntry(Key key, int number) {
    this.key = key;
    this.number = number;
  }
}
