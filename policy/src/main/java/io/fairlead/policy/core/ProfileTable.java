package io.fairlead.policy.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// The grants of local pods: which profile each has, and what profiles grant to which classes.
final class ProfileTable {
  private final PlanTables tables;
  private final GrantNumbers grants;
  private final ClassTable classes;
  private final Function<PolicyPeer, PeerEntry> peerOf;
  private final Map<GrantProfile.Key, GrantProfile> profiles = new LinkedHashMap<>();
  private final Set<GrantProfile> naming = new LinkedHashSet<>();
  private final Set<GrantProfile> emptied = new LinkedHashSet<>();

  ProfileTable(
      PlanTables tables,
      GrantNumbers grants,
      ClassTable classes,
      Function<PolicyPeer, PeerEntry> peerOf) {
    this.tables = tables;
    this.grants = grants;
    this.classes = classes;
    this.peerOf = peerOf;
  }

  void classAppeared(ClassEntry entry) {
    Set<GrantProfile> candidates = new LinkedHashSet<>();
    for (PeerEntry peer : entry.key.peers()) {
      candidates.addAll(peer.profiles);
    }
    if (!entry.key.ports().isEmpty()) {
      candidates.addAll(naming);
    }
    candidates.forEach(profile -> store(profile, entry));
  }

  /// A class has another key: only what is granted otherwise is written.
  void classRenamed(ClassEntry entry) {
    for (GrantProfile profile : List.copyOf(entry.granted)) {
      Grant before = profile.byClass.get(entry);
      Grant now = profile.grant(entry.key);
      if (before == null || before.equals(now)) {
        continue;
      }
      if (now.equals(profile.otherwise(entry.key))) {
        profile.byClass.remove(entry);
        entry.granted.remove(profile);
        for (PodEntry pod : profile.pods) {
          tables.remove(PolicySet.grants(profile.key.direction()), pair(entry, pod));
        }
      } else {
        profile.byClass.put(entry, now);
        PlanValue value = new PlanValue(grants.acquire(now), "");
        for (PodEntry pod : profile.pods) {
          tables.put(PolicySet.grants(profile.key.direction()), pair(entry, pod), value);
        }
      }
      grants.release(before);
    }
    classAppeared(entry);
  }

  void classGone(ClassEntry entry) {
    for (GrantProfile profile : entry.granted) {
      Grant grant = profile.byClass.remove(entry);
      for (PodEntry pod : profile.pods) {
        tables.remove(PolicySet.grants(profile.key.direction()), pair(entry, pod));
      }
      if (grant != null) {
        grants.release(grant);
      }
    }
    entry.granted.clear();
  }

  private void store(GrantProfile profile, ClassEntry entry) {
    Grant grant = profile.grant(entry.key);
    if (grant.equals(profile.otherwise(entry.key)) || profile.byClass.containsKey(entry)) {
      return;
    }
    profile.byClass.put(entry, grant);
    entry.granted.add(profile);
    PlanValue value = new PlanValue(grants.acquire(grant), "");
    for (PodEntry pod : profile.pods) {
      tables.put(PolicySet.grants(profile.key.direction()), pair(entry, pod), value);
    }
  }

  private static PlanKey pair(ClassEntry entry, PodEntry pod) {
    return new PlanKey.OfPair(entry.number, pod.address);
  }

  /// Gives a pod the profile of its policies; the one it had goes.
  void join(PodEntry pod, GrantProfile.Key key) {
    GrantProfile old = pod.profiles.get(key.direction());
    if (old != null && old.key.equals(key)) {
      return;
    }
    GrantProfile profile = profiles.get(key);
    if (profile == null) {
      profile = make(key);
    }
    if (old != null) {
      leave(pod, key.direction());
    }
    emptied.remove(profile);
    profile.pods.add(pod);
    pod.profiles.put(key.direction(), profile);
    write(pod, profile);
  }

  private GrantProfile make(GrantProfile.Key key) {
    GrantProfile profile = new GrantProfile(key, peerOf);
    profiles.put(key, profile);
    grants.acquire(profile.anyone);
    grants.acquire(profile.anypod);
    Set<ClassEntry> candidates = new LinkedHashSet<>();
    for (PeerEntry peer : profile.byPeer.keySet()) {
      peer.profiles.add(profile);
      candidates.addAll(peer.classes);
    }
    if (profile.resolvesNames()) {
      naming.add(profile);
      candidates.addAll(classes.withPorts());
    }
    candidates.forEach(entry -> store(profile, entry));
    return profile;
  }

  private void write(PodEntry pod, GrantProfile profile) {
    Direction direction = profile.key.direction();
    PlanKey address = new PlanKey.OfAddress(pod.address);
    int anyone = number(profile.anyone);
    tables.put(PolicySet.anyone(direction), address, new PlanValue(anyone, profile.comment(pod)));
    if (!profile.anypod.equals(profile.anyone)) {
      tables.put(
          PolicySet.anypod(direction),
          address,
          new PlanValue(number(profile.anypod), pod.pod.key().toString()));
    }
    PlanValue name = new PlanValue(0, pod.pod.key().toString());
    tables.put(PolicySet.SELVES, address, name);
    tables.put(PolicySet.drops(direction), address, name);
    profile.byClass.forEach(
        (entry, grant) ->
            tables.put(
                PolicySet.grants(direction), pair(entry, pod), new PlanValue(number(grant), "")));
  }

  /// The number of a grant that the profile holds.
  private int number(Grant grant) {
    int number = grants.acquire(grant);
    grants.release(grant);
    return number;
  }

  /// Takes away what a pod has in a direction, if anything.
  void leave(PodEntry pod, Direction direction) {
    GrantProfile profile = pod.profiles.remove(direction);
    if (profile == null) {
      return;
    }
    profile.pods.remove(pod);
    PlanKey address = new PlanKey.OfAddress(pod.address);
    tables.remove(PolicySet.anyone(direction), address);
    tables.remove(PolicySet.anypod(direction), address);
    tables.remove(PolicySet.drops(direction), address);
    if (pod.profiles.isEmpty()) {
      tables.remove(PolicySet.SELVES, address);
    }
    for (ClassEntry entry : profile.byClass.keySet()) {
      tables.remove(PolicySet.grants(direction), pair(entry, pod));
    }
    if (profile.pods.isEmpty()) {
      emptied.add(profile);
    }
  }

  /// Forgets the profiles that no pod has any more.
  void dispose() {
    List<GrantProfile> gone = new ArrayList<>(emptied);
    emptied.clear();
    for (GrantProfile profile : gone) {
      profiles.remove(profile.key);
      naming.remove(profile);
      profile.byPeer.keySet().forEach(peer -> peer.profiles.remove(profile));
      profile.byClass.forEach(
          (entry, grant) -> {
            entry.granted.remove(profile);
            grants.release(grant);
          });
      grants.release(profile.anyone);
      grants.release(profile.anypod);
    }
  }
}
