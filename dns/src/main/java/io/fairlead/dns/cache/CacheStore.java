package io.fairlead.dns.cache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Kept answers of one kind, bounded in number and in bytes.
///
/// How it works: a map for lookups and a ring for eviction, the CLOCK algorithm. The hand passes
/// over the ring; an entry that was used since it last came by gets another round, any other one
/// goes. Lookups take no lock and only set a flag. Adding takes the lock of the ring.
final class CacheStore {
  private record Slot(CacheKey key, CacheEntry entry) {}

  private final int mostEntries;
  private final long mostBytes;
  private final Map<CacheKey, CacheEntry> entries = new ConcurrentHashMap<>();
  // Guarded by itself, like the count of bytes. Holds replaced entries until the hand finds them.
  private final Deque<Slot> ring = new ArrayDeque<>();
  private long bytes;

  CacheStore(int mostEntries, long mostBytes) {
    this.mostEntries = mostEntries;
    this.mostBytes = mostBytes;
  }

  @Nullable CacheEntry get(CacheKey key) {
    return entries.get(key);
  }

  int size() {
    return entries.size();
  }

  void remove(CacheKey key) {
    entries.remove(key);
  }

  /// Keeps an entry in place of one with the same key; returns how many others it evicted.
  int put(CacheKey key, CacheEntry entry) {
    synchronized (ring) {
      entries.put(key, entry);
      ring.add(new Slot(key, entry));
      bytes += entry.cost();
      int evicted = 0;
      int patience = ring.size() * 2;
      while (ring.size() > mostEntries || bytes > mostBytes) {
        Slot slot = ring.remove();
        boolean current = entries.get(slot.key()) == slot.entry();
        if (current && slot.entry().takeUsed() && patience-- > 0) {
          ring.add(slot);
          continue;
        }
        bytes -= slot.entry().cost();
        if (current && entries.remove(slot.key(), slot.entry())) {
          evicted++;
        }
      }
      return evicted;
    }
  }
}
