package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A counted pod that has its address.
final class PodEntry {
  final IpAddress address;
  final boolean local;
  final NamespaceEntry namespace;
  PolicyPod pod;

  /// The relevant `Pods` peers that match it.
  TreeSet<PeerEntry> peers = new TreeSet<>();

  @Nullable ClassEntry addressClass;

  /// The policies that applied to it when it was last settled; a local pod only.
  Set<PolicyEntry> applied = new LinkedHashSet<>();

  /// What it is granted in the directions in which it is isolated.
  final Map<Direction, GrantProfile> profiles = new EnumMap<>(Direction.class);

  PodEntry(IpAddress address, boolean local, NamespaceEntry namespace, PolicyPod pod) {
    this.address = address;
    this.local = local;
    this.namespace = namespace;
    this.pod = pod;
  }
}
