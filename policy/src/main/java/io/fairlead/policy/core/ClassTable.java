package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The classes that addresses have, with their numbers.
final class ClassTable {
  private static final int FIRST = 1;

  private final NumberPool numbers = new NumberPool(FIRST);
  private final Map<ClassEntry.Key, ClassEntry> entries = new LinkedHashMap<>();
  private final Set<ClassEntry> withPorts = new LinkedHashSet<>();
  private final Set<ClassEntry> unused = new LinkedHashSet<>();
  private Map<IpAddress, Integer> installed = Map.of();

  /// Classes that addresses have in the kernel already, to keep their numbers.
  void adopt(Map<IpAddress, Integer> known) {
    installed = known;
    numbers.keep(known.values());
  }

  /// @param first an address that has it
  /// @param appeared runs when no address had it before
  ClassEntry acquire(ClassEntry.Key key, IpAddress first, Consumer<ClassEntry> appeared) {
    ClassEntry entry = entries.get(key);
    if (entry == null) {
      entry = new ClassEntry(key, numbers.take(installed.getOrDefault(first, -1)));
      entries.put(key, entry);
      for (PeerEntry peer : key.peers()) {
        peer.classes.add(entry);
      }
      if (!key.ports().isEmpty()) {
        withPorts.add(entry);
      }
      appeared.accept(entry);
    }
    unused.remove(entry);
    entry.references++;
    return entry;
  }

  /// Whether some address has a class of that key.
  boolean has(ClassEntry.Key key) {
    return entries.containsKey(key);
  }

  /// All addresses of a class have another key now: the class keeps its number, and what is granted
  /// to it stays where the new key is granted the same.
  ///
  /// @param renamed runs when the key is in place
  void rename(ClassEntry entry, ClassEntry.Key key, Consumer<ClassEntry> renamed) {
    entries.remove(entry.key);
    entry.key.peers().forEach(peer -> peer.classes.remove(entry));
    withPorts.remove(entry);
    entry.key = key;
    entries.put(key, entry);
    key.peers().forEach(peer -> peer.classes.add(entry));
    if (!key.ports().isEmpty()) {
      withPorts.add(entry);
    }
    renamed.accept(entry);
  }

  void release(ClassEntry entry) {
    if (--entry.references == 0) {
      unused.add(entry);
    }
  }

  /// Forgets the classes that no address has any more.
  void dispose(Consumer<ClassEntry> gone) {
    for (ClassEntry entry : unused) {
      entries.remove(entry.key);
      withPorts.remove(entry);
      entry.key.peers().forEach(peer -> peer.classes.remove(entry));
      gone.accept(entry);
      numbers.giveBack(entry.number);
    }
    unused.clear();
  }

  /// The classes of pods that have a number for a name of a port.
  Collection<ClassEntry> withPorts() {
    return withPorts;
  }

  void acknowledged() {
    installed = Map.of();
    numbers.forgetKept();
    numbers.acknowledged();
  }

  int count() {
    return entries.size();
  }
}
