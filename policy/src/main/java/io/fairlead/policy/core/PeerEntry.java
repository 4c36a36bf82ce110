package io.fairlead.policy.core;

import java.util.LinkedHashSet;
import java.util.Set;

/// A peer that some policy names, `Pods` or `Block`, once for all policies that name it.
final class PeerEntry implements Comparable<PeerEntry> {
  final int id;
  final PolicyPeer peer;

  /// How many entries of policies that apply to a local pod name it. At 0 nothing below is kept.
  int relevance;

  /// The classes it is part of.
  final Set<ClassEntry> classes = new LinkedHashSet<>();

  /// The profiles that name it.
  final Set<GrantProfile> profiles = new LinkedHashSet<>();

  PeerEntry(int id, PolicyPeer peer) {
    this.id = id;
    this.peer = peer;
  }

  @Override
  public int compareTo(PeerEntry other) {
    return Integer.compare(id, other.id);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return id;
  }
}
