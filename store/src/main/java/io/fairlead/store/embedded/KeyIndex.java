package io.fairlead.store.embedded;

import io.fairlead.store.CommitValidation;
import io.fairlead.store.Range;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/// The newest version of every key in memory, in key order, with the revision it stands at.
///
/// Values are held too: the server's cache keeps the same byte arrays, so they cost nothing extra,
/// and a change can carry the previous value without a read. Written by the writer thread only,
/// read by anybody; guarded by its lock.
final class KeyIndex {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final NavigableMap<String, KeyVersion> versions = new TreeMap<>(CommitValidation.ORDER);
  // The same by hash: the writer looks up every key it is handed, and keys have long common starts.
  private final Map<String, KeyVersion> byKey = new HashMap<>();
  private long revision;

  /// Versions of one moment.
  ///
  /// @param versions in key order, tombstones included
  /// @param revision the moment
  record Snapshot(List<KeyVersion> versions, long revision) {}

  @Nullable KeyVersion get(String key) {
    lock.readLock().lock();
    try {
      return byKey.get(key);
    } finally {
      lock.readLock().unlock();
    }
  }

  long revision() {
    lock.readLock().lock();
    try {
      return revision;
    } finally {
      lock.readLock().unlock();
    }
  }

  int size() {
    lock.readLock().lock();
    try {
      return versions.size();
    } finally {
      lock.readLock().unlock();
    }
  }

  void apply(long newRevision, Collection<KeyVersion> changed) {
    lock.writeLock().lock();
    try {
      revision = newRevision;
      for (KeyVersion version : changed) {
        versions.put(version.key(), version);
        byKey.put(version.key(), version);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  void remove(KeyVersion tombstone) {
    lock.writeLock().lock();
    try {
      if (byKey.remove(tombstone.key(), tombstone)) {
        versions.remove(tombstone.key());
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /// What lies behind `range.after()` under the prefix; the limit is not applied.
  Snapshot snapshot(Range range) {
    lock.readLock().lock();
    try {
      boolean skips = CommitValidation.ORDER.compare(range.after(), range.prefix()) >= 0;
      NavigableMap<String, KeyVersion> tail =
          skips ? versions.tailMap(range.after(), false) : versions.tailMap(range.prefix(), true);
      List<KeyVersion> found = new ArrayList<>();
      for (Map.Entry<String, KeyVersion> each : tail.entrySet()) {
        if (!each.getKey().startsWith(range.prefix())) {
          break;
        }
        found.add(each.getValue());
      }
      return new Snapshot(found, revision);
    } finally {
      lock.readLock().unlock();
    }
  }
}
