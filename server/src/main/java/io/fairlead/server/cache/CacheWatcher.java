package io.fairlead.server.cache;

import io.fairlead.api.status.ApiException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One client's watch: first the initial events, then changes as they come.
///
/// The cache puts events in and never waits; the stream's thread takes them out. A client that
/// reads too slowly fills its queue and is cut off: it resumes by resourceVersion and misses
/// nothing, while everyone else goes on undisturbed. Where another program must be asked whether
/// the selection sees an object, the stream's thread asks it.
public final class CacheWatcher implements AutoCloseable {
  private final SelectionPredicate selection;
  private final boolean judgesLate;
  private final int capacity;
  private final LongSupplier progress;
  private final Runnable onClose;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by lock.
  private final Deque<WatchEvent> queue = new ArrayDeque<>();
  private final Deque<CacheChange> unjudged = new ArrayDeque<>();
  private Iterator<WatchEvent> initial = Collections.emptyIterator();
  private @Nullable ApiException failure;
  private long after;
  private boolean live;
  private boolean woken;
  private boolean ended;
  private boolean overflowed;
  private long overflowedAt;

  /// @param judgesLate whether the selection is asked by who takes the events out
  /// @param progress the revision up to which changes have been offered to all watchers
  CacheWatcher(
      SelectionPredicate selection,
      boolean judgesLate,
      int capacity,
      LongSupplier progress,
      Runnable onClose) {
    this.selection = selection;
    this.judgesLate = judgesLate;
    this.capacity = capacity;
    this.progress = progress;
    this.onClose = onClose;
  }

  SelectionPredicate selection() {
    return selection;
  }

  /// Whether it takes everything and asks its selection later.
  boolean judgesLate() {
    return judgesLate;
  }

  /// The next event. Null when none came in time, or when the watch is over ([#isOver]).
  ///
  /// @throws ApiException what the client is to be told as an ERROR event; the watch is then over
  public @Nullable WatchEvent next(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long nanos = atMost.toNanos();
      while (true) {
        WatchEvent event = poll();
        if (event != null || ended || nanos <= 0) {
          return event;
        }
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /// The same without a limit: null after [#wake] when nothing is waiting, or when the watch is
  /// over.
  public @Nullable WatchEvent next() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        WatchEvent event = poll();
        if (event != null || ended) {
          return event;
        }
        if (woken) {
          woken = false;
          return null;
        }
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Lets a wait for the next event end: there is something else to do.
  public void wake() {
    lock.lock();
    try {
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// What is there, or null. Called with the lock held, which it lets go of while a selection is
  /// asked late.
  private @Nullable WatchEvent poll() {
    while (initial.hasNext()) {
      WatchEvent first = nextInitial();
      if (!judgesLate || isSeen(first)) {
        return first;
      }
    }
    WatchEvent event = judgesLate ? judged() : queue.poll();
    if (event == null && failure != null) {
      ApiException told = failure;
      failure = null;
      ended = true;
      throw told;
    }
    return event;
  }

  /// Whether the selection sees an initial event. Called with the lock held, which it lets go of
  /// meanwhile.
  private boolean isSeen(WatchEvent event) {
    CachedObject object = event.object();
    if (object == null) {
      return true;
    }
    lock.unlock();
    try {
      return selection.matches(object);
    } finally {
      lock.lock();
    }
  }

  /// The event of the next change that the selection sees; null when there is none. Called with the
  /// lock held, which it lets go of meanwhile.
  private @Nullable WatchEvent judged() {
    while (true) {
      CacheChange change = unjudged.poll();
      if (change == null) {
        return null;
      }
      WatchEvent event;
      lock.unlock();
      try {
        event = change.eventFor(selection);
      } finally {
        lock.lock();
      }
      if (event != null) {
        return event;
      }
    }
  }

  /// The last of them lets go of the state that they were made of.
  private WatchEvent nextInitial() {
    WatchEvent event = initial.next();
    if (!initial.hasNext()) {
      initial = Collections.emptyIterator();
    }
    return event;
  }

  /// Whether an event can be had without waiting; when not, what was written should be flushed.
  public boolean hasNext() {
    lock.lock();
    try {
      // Of what is not judged nothing may come.
      return !judgesLate && (initial.hasNext() || !queue.isEmpty());
    } finally {
      lock.unlock();
    }
  }

  /// A bookmark that is not ahead of anything undelivered; null when something is waiting.
  public @Nullable WatchEvent bookmark() {
    long reached = progress.getAsLong();
    lock.lock();
    try {
      return live && !initial.hasNext() && nothingWaits() && reached > after
          ? WatchEvent.bookmark(reached)
          : null;
    } finally {
      lock.unlock();
    }
  }

  private boolean nothingWaits() {
    return queue.isEmpty() && unjudged.isEmpty();
  }

  /// Whether no further event will come.
  public boolean isOver() {
    lock.lock();
    try {
      return ended && !initial.hasNext() && nothingWaits() && failure == null;
    } finally {
      lock.unlock();
    }
  }

  /// Whether the watch was cut off because its client read too slowly.
  public boolean isOverflowed() {
    lock.lock();
    try {
      return overflowed;
    } finally {
      lock.unlock();
    }
  }

  /// How long ago that happened; zero when it did not.
  public Duration overflowedFor() {
    lock.lock();
    try {
      return overflowed ? Duration.ofNanos(System.nanoTime() - overflowedAt) : Duration.ZERO;
    } finally {
      lock.unlock();
    }
  }

  /// What is delivered before everything else. Called once, before the watcher is live.
  void begin(Iterator<WatchEvent> initialEvents) {
    lock.lock();
    try {
      initial = initialEvents;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// From now on the cache offers every change, so bookmarks may be given. Changes up to and
  /// including `revision` are known to the client: the cache may still be on its way there (a
  /// client that comes from another server) and must not tell them again.
  void goLive(long revision) {
    lock.lock();
    try {
      after = revision;
      live = true;
    } finally {
      lock.unlock();
    }
  }

  /// Offers a change; ignored when the selection does not see it. Never waits.
  void offer(CacheChange change) {
    WatchEvent event = judgesLate ? null : change.eventFor(selection);
    if (event == null && !judgesLate) {
      return;
    }
    lock.lock();
    try {
      if (ended || change.revision() <= after) {
        return;
      }
      if (queue.size() + unjudged.size() >= capacity) {
        // What is queued is still delivered: a client that resumes from far back must get on.
        overflowed = true;
        overflowedAt = System.nanoTime();
        ended = true;
      } else if (event == null) {
        unjudged.add(change);
      } else {
        queue.add(event);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Ends the watch after what is queued, with an error for the client or without one.
  void end(@Nullable ApiException why) {
    lock.lock();
    try {
      if (!ended) {
        failure = why;
        ended = why == null;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Leaves the cache. Idempotent.
  @Override
  public void close() {
    end(null);
    onClose.run();
  }
}
