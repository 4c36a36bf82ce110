package io.fairlead.server.cache;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The latest changes of one resource, kept for watchers that resume; older ones are read from the
/// store's history. Bounded in number, in bytes and in age, since each holds on to a version of an
/// object that is otherwise unused: a watcher is told every minute how far it is, so it hardly ever
/// asks for more than that. Guarded by the lock of its cache.
final class RecentChanges {
  private static final int MOST = 2048;
  private static final long MOST_BYTES = 1 << 20;
  private static final long MOST_NANOS = Duration.ofSeconds(75).toNanos();

  /// What an object takes beside its bytes.
  private static final int AROUND = 256;

  /// A change without the events that were made of it: they are made again for a watcher that
  /// resumes.
  ///
  /// @param since when it was added
  private record Kept(
      long revision, @Nullable CachedObject current, @Nullable CachedObject previous, long since) {
    CacheChange change() {
      return new CacheChange(revision, current, previous);
    }

    int weight() {
      CachedObject subject = current != null ? current : previous;
      return AROUND + (subject == null ? 0 : subject.size());
    }
  }

  private final LongSupplier nanos;
  private final Deque<Kept> changes = new ArrayDeque<>();
  private long bytes;
  // Every change after this revision is here.
  private long start;

  /// @param nanos tells the time
  RecentChanges(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// Forgets all, and begins after that revision.
  void restart(long revision) {
    changes.clear();
    bytes = 0;
    start = revision;
  }

  void add(long revision, @Nullable CachedObject current, @Nullable CachedObject previous) {
    long now = nanos.getAsLong();
    Kept added = new Kept(revision, current, previous, now);
    changes.addLast(added);
    bytes += added.weight();
    while (changes.size() > 1 && isTooMuch(changes.getFirst(), now)) {
      Kept oldest = changes.removeFirst();
      bytes -= oldest.weight();
      start = oldest.revision();
    }
  }

  private boolean isTooMuch(Kept oldest, long now) {
    return changes.size() > MOST || bytes > MOST_BYTES || now - oldest.since() > MOST_NANOS;
  }

  /// Whether every change after that revision is here.
  boolean reachesBackTo(long revision) {
    return revision >= start;
  }

  /// Oldest first.
  void forEach(Consumer<CacheChange> action) {
    changes.forEach(kept -> action.accept(kept.change()));
  }
}
