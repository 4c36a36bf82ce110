package io.fairlead.store.testing;

import io.fairlead.store.CommitResult;
import io.fairlead.store.CommitValidation;
import io.fairlead.store.CompactedException;
import io.fairlead.store.FutureRevisionException;
import io.fairlead.store.KeyChange;
import io.fairlead.store.Range;
import io.fairlead.store.RangeResult;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.store.Write;
import io.fairlead.store.engine.Deadlines;
import io.fairlead.store.engine.History;
import io.fairlead.store.engine.WatchHub;
import io.fairlead.work.SupervisedLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A store in memory with the semantics of the real engines, for tests.
///
/// All state is guarded by one lock. Keys with a time to live are deleted by a loop when the clock
/// is the system's; with a clock handed in they are deleted by [#expireDue], so that a test decides
/// when.
public final class MemoryStore implements Store {
  private static final int EXPIRED_PER_COMMIT = 256;
  private static final int WATCH_QUEUE = 8192;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition deadlinesChanged = lock.newCondition();
  private final NavigableMap<String, KeyHistory> keys = new TreeMap<>(CommitValidation.ORDER);
  private final NavigableMap<Long, List<KeyChange>> commits = new TreeMap<>();
  private final Deadlines deadlines = new Deadlines();
  private final LongSupplier nanoClock;
  private final WatchHub hub;
  private long revision = 1;
  private long compacted;
  private boolean closed;
  private @Nullable SupervisedLoop expiry;

  /// An empty store on the system's monotonic clock.
  public MemoryStore() {
    this(System::nanoTime);
    expiry =
        SupervisedLoop.of("memory-store-expiry")
            .stopBy(this::markClosed)
            .start(this::expireAndAwaitNext);
  }

  /// An empty store on a clock of the caller, who calls [#expireDue] after moving it.
  public MemoryStore(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.hub = new WatchHub(this::history, revision, WATCH_QUEUE);
  }

  @Override
  public long revision() {
    lock.lock();
    try {
      return revision;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long compactedRevision() {
    lock.lock();
    try {
      return compacted;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable StoreEntry get(String key) {
    lock.lock();
    try {
      checkOpen();
      return newest(key);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public RangeResult range(Range range) {
    lock.lock();
    try {
      checkOpen();
      long at = range.revision() == 0 ? revision : range.revision();
      checkReadable(at);
      boolean skips = CommitValidation.ORDER.compare(range.after(), range.prefix()) >= 0;
      NavigableMap<String, KeyHistory> tail =
          skips ? keys.tailMap(range.after(), false) : keys.tailMap(range.prefix(), true);
      List<StoreEntry> entries = new ArrayList<>();
      long remaining = 0;
      for (Map.Entry<String, KeyHistory> each : tail.entrySet()) {
        if (!each.getKey().startsWith(range.prefix())) {
          break;
        }
        StoreEntry entry = each.getValue().at(at);
        if (entry == null) {
          continue;
        }
        if (range.limit() > 0 && entries.size() == range.limit()) {
          remaining++;
        } else {
          entries.add(entry);
        }
      }
      return new RangeResult(List.copyOf(entries), remaining, at);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public CommitResult commit(List<Write> writes) {
    CommitValidation.check(writes);
    lock.lock();
    try {
      checkOpen();
      for (Write write : writes) {
        StoreEntry current = newest(write.key());
        long expected = write.expectedRevision();
        if (expected != Write.ANY && expected != (current == null ? 0 : current.modRevision())) {
          return new CommitResult.Conflict(write.key(), current);
        }
      }
      return new CommitResult.Committed(apply(writes));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Watch watch(String prefix, long afterRevision, WatchListener listener) {
    lock.lock();
    try {
      checkOpen();
      if (afterRevision < compacted) {
        throw new CompactedException(afterRevision, compacted);
      }
      return hub.subscribe(prefix, afterRevision, listener);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void compact(long upTo) {
    lock.lock();
    try {
      checkOpen();
      if (upTo > revision) {
        throw new FutureRevisionException(upTo, revision);
      }
      if (upTo <= compacted) {
        return;
      }
      compacted = upTo;
      commits.headMap(upTo, true).clear();
      keys.values().removeIf(versions -> versions.compact(upTo));
    } finally {
      lock.unlock();
    }
  }

  /// Deletes the keys whose time has passed, now, each with an event.
  public void expireDue() {
    lock.lock();
    try {
      while (!closed) {
        List<Deadlines.Deadline> due = deadlines.takeDue(nanoClock.getAsLong(), EXPIRED_PER_COMMIT);
        if (due.isEmpty()) {
          return;
        }
        List<Write> deletes = new ArrayList<>();
        for (Deadlines.Deadline each : due) {
          deletes.add(new Write.Delete(each.key(), each.revision()));
        }
        apply(deletes);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    markClosed();
    if (expiry != null) {
      expiry.close();
    }
    hub.close();
  }

  private void markClosed() {
    lock.lock();
    try {
      closed = true;
      deadlinesChanged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Writes what was found to be as expected.
  ///
  /// @return the revision taken, or the present one when nothing changes
  private long apply(List<Write> writes) {
    long next = revision + 1;
    List<KeyChange> changes = new ArrayList<>();
    for (Write write : writes) {
      StoreEntry previous = newest(write.key());
      switch (write) {
        case Write.Put put -> {
          long created = previous == null ? next : previous.createRevision();
          StoreEntry entry = new StoreEntry(put.key(), put.value().bytes(), created, next);
          changes.add(new KeyChange(put.key(), next, entry, previous));
          deadlines.written(put.key(), next, put.ttlSeconds(), nanoClock.getAsLong());
        }
        case Write.Delete delete -> {
          if (previous != null) {
            changes.add(new KeyChange(delete.key(), next, null, previous));
            deadlines.removed(delete.key());
          }
        }
        case Write.Check _ -> {}
      }
    }
    if (changes.isEmpty()) {
      return revision;
    }
    List<KeyChange> commit = List.copyOf(changes);
    hub.publish(next, commit, () -> makeVisible(next, commit));
    deadlinesChanged.signalAll();
    return next;
  }

  private void makeVisible(long next, List<KeyChange> commit) {
    revision = next;
    commits.put(next, commit);
    for (KeyChange change : commit) {
      keys.computeIfAbsent(change.key(), _ -> new KeyHistory()).add(next, change.current());
    }
  }

  private @Nullable StoreEntry newest(String key) {
    KeyHistory versions = keys.get(key);
    return versions == null ? null : versions.newest();
  }

  private History.Batch history(String prefix, long after, long upTo) {
    lock.lock();
    try {
      if (after < compacted) {
        throw new CompactedException(after, compacted);
      }
      List<KeyChange> changes = new ArrayList<>();
      for (List<KeyChange> commit : commits.subMap(after, false, upTo, true).values()) {
        for (KeyChange change : commit) {
          if (change.key().startsWith(prefix)) {
            changes.add(change);
          }
        }
      }
      return new History.Batch(changes, upTo);
    } finally {
      lock.unlock();
    }
  }

  private void checkReadable(long at) {
    if (at < compacted) {
      throw new CompactedException(at, compacted);
    }
    if (at > revision) {
      throw new FutureRevisionException(at, revision);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreException("the store is closed", null);
    }
  }

  private void expireAndAwaitNext() throws InterruptedException {
    lock.lock();
    try {
      expireDue();
      long nanos = deadlines.nanosToNext(nanoClock.getAsLong());
      while (nanos > 0 && !closed) {
        long atMost = Math.min(nanos, TimeUnit.HOURS.toNanos(1));
        long left = deadlinesChanged.awaitNanos(atMost);
        assert left <= atMost;
        nanos = deadlines.nanosToNext(nanoClock.getAsLong());
      }
    } finally {
      lock.unlock();
    }
  }
}
