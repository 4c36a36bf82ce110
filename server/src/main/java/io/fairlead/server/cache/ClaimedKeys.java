package io.fairlead.server.cache;

import io.fairlead.store.KeyChange;
import io.fairlead.store.StoreEntry;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Keys that go with objects but are none, such as the claim of a node port: whether one is taken
/// is a look-up, however many there are. Fed like the caches, read by any thread.
final class ClaimedKeys {
  private final List<String> prefixes;
  private final Set<String> taken = ConcurrentHashMap.newKeySet();
  private final AtomicLong acknowledged = new AtomicLong();

  ClaimedKeys(Collection<String> prefixes) {
    this.prefixes = List.copyOf(prefixes);
  }

  List<String> prefixes() {
    return prefixes;
  }

  boolean contains(String key) {
    return taken.contains(key);
  }

  /// A client is about to be told that this commit, which may change a claim, is made.
  void acknowledged(long committed) {
    acknowledged.accumulateAndGet(committed, Math::max);
  }

  /// The newest commit of a claim that a client was told of.
  long acknowledged() {
    return acknowledged.get();
  }

  void load(String prefix, List<StoreEntry> entries) {
    taken.removeIf(key -> key.startsWith(prefix));
    entries.forEach(entry -> taken.add(entry.key()));
  }

  void apply(KeyChange change) {
    if (prefixes.stream().noneMatch(change.key()::startsWith)) {
      return;
    }
    if (change.current() == null) {
      taken.remove(change.key());
    } else {
      taken.add(change.key());
    }
  }
}
