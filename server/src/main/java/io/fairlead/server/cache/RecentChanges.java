package io.fairlead.server.cache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// The latest changes of one resource, kept for watchers that resume; older ones are read from the
/// store's history. Bounded in number and in bytes, since each holds on to a version of an object
/// that nobody else may need any more. Guarded by the lock of its cache.
final class RecentChanges {
  private static final int MOST = 2048;
  private static final long MOST_BYTES = 1 << 20;

  private final Deque<CacheChange> changes = new ArrayDeque<>();
  private long bytes;
  // Every change after this revision is here.
  private long start;

  /// Forgets all, and begins after that revision.
  void restart(long revision) {
    changes.clear();
    bytes = 0;
    start = revision;
  }

  void add(CacheChange change) {
    changes.addLast(change);
    bytes += weight(change);
    while (changes.size() > MOST || (bytes > MOST_BYTES && changes.size() > 1)) {
      CacheChange oldest = changes.removeFirst();
      bytes -= weight(oldest);
      start = oldest.revision();
    }
  }

  private static int weight(CacheChange change) {
    return change.subject().size();
  }

  /// Whether every change after that revision is here.
  boolean reachesBackTo(long revision) {
    return revision >= start;
  }

  /// Oldest first.
  void forEach(Consumer<CacheChange> action) {
    changes.forEach(action);
  }
}
