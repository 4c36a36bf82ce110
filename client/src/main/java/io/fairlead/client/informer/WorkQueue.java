package io.fairlead.client.informer;

import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Keys of objects that want attention.
///
/// How it works: a key that wants attention is *dirty*; one that a worker holds is *processing*.
/// Adding a dirty key again changes nothing, so a burst of events is one run. A key that gets dirty
/// while it is processed is queued again only when its worker is done, so no two workers ever hold
/// one key, and no event is lost. A key may also come later: of several waits for one key the
/// earliest counts. A key that is worked on hundreds of times a second is *hot*: something queues
/// it again and again. It is held back for up to a second and counted ([#heldBack]), so that a
/// mistake in one controller never costs a processor.
///
/// Every key taken must be given back with `done`, whatever happened; a failed one is also given to
/// `retry`, a good one to `forget`, which ends its record of failures.
///
/// Safe for any threads; guarded by its own lock.
public final class WorkQueue<K> implements AutoCloseable {
  /// @param number in which order waits began: no two are alike
  private record Later<K>(K key, long due, long number) {}

  private final Ticker ticker;
  private final Backoff backoff;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ready = lock.newCondition();
  // Guarded by the lock.
  private final Deque<K> queue = new ArrayDeque<>();
  private final Set<K> dirty = new HashSet<>();
  private final Set<K> processing = new HashSet<>();
  // One wait for a key at most, by time and by key.
  private final NavigableSet<Later<K>> later =
      new TreeSet<>(
          Comparator.<Later<K>>comparingLong(Later::due).thenComparingLong(Later::number));
  private final Map<K, Later<K>> due = new HashMap<>();
  private long waits;
  private final Map<K, Integer> failures = new HashMap<>();
  private final KeyRunRates<K> rates = new KeyRunRates<>();
  private long heldBack;
  private boolean closed;

  /// @param backoff how long a key waits after its failures
  public WorkQueue(Ticker ticker, Backoff backoff) {
    this.ticker = ticker;
    this.backoff = backoff;
  }

  /// Asks for attention to a key. Nothing when it is waiting for it already, or the queue is
  /// closed.
  public void add(K key) {
    lock.lock();
    try {
      if (closed || !dirty.add(key) || processing.contains(key)) {
        return;
      }
      enqueue(key);
      ready.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Asks for attention after some time. An earlier wait of the same key stays as it is.
  public void addAfter(K key, Duration delay) {
    if (delay.isZero() || delay.isNegative()) {
      add(key);
      return;
    }
    lock.lock();
    try {
      if (!closed) {
        park(key, ticker.nanos() + delay.toNanos());
        ready.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Asks for attention to a key that failed, after a wait that doubles each time.
  public void retry(K key) {
    addAfter(key, backoff.after(countFailure(key)));
  }

  /// Ends a key's record of failures.
  public void forget(K key) {
    lock.lock();
    try {
      failures.remove(key);
    } finally {
      lock.unlock();
    }
  }

  /// How often a key failed in a row.
  public int failures(K key) {
    lock.lock();
    try {
      return failures.getOrDefault(key, 0);
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a key. Empty when the queue is closed.
  public Optional<K> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        long wait = moveDue();
        K key = next();
        if (key != null) {
          return Optional.of(key);
        }
        if (closed) {
          return Optional.empty();
        }
        if (wait < 0) {
          ready.await();
        } else {
          boolean _ = ready.await(wait, TimeUnit.NANOSECONDS);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// A key if one is ready now.
  public Optional<K> poll() {
    lock.lock();
    try {
      moveDue();
      return Optional.ofNullable(next());
    } finally {
      lock.unlock();
    }
  }

  /// Gives a key back. When it got dirty meanwhile it is queued again.
  public void done(K key) {
    lock.lock();
    try {
      processing.remove(key);
      if (dirty.contains(key)) {
        enqueue(key);
        ready.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Nothing waits and nothing is processed; keys due later do not count.
  public boolean idle() {
    lock.lock();
    try {
      moveDue();
      return queue.isEmpty() && processing.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /// How often a key was held back because it was hot: zero where every controller does what it
  /// should.
  public long heldBack() {
    lock.lock();
    try {
      return heldBack;
    } finally {
      lock.unlock();
    }
  }

  /// How many keys wait for their time.
  int sizeLater() {
    lock.lock();
    try {
      moveDue();
      return later.size();
    } finally {
      lock.unlock();
    }
  }

  /// How many keys wait for a worker now.
  public int size() {
    lock.lock();
    try {
      moveDue();
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  /// Takes no more keys and lets waiting workers go. Idempotent.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      queue.clear();
      dirty.clear();
      later.clear();
      due.clear();
      ready.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Queues a dirty key that no worker holds, or has it rest when it is hot.
  private void enqueue(K key) {
    long now = ticker.nanos();
    long rest = rates.rest(key, now);
    if (rest == 0) {
      queue.add(key);
      return;
    }
    heldBack++;
    dirty.remove(key);
    park(key, now + rest);
  }

  private void park(K key, long at) {
    Later<K> known = due.get(key);
    if (known != null && known.due() <= at) {
      return;
    }
    if (known != null) {
      later.remove(known);
    }
    Later<K> wait = new Later<>(key, at, waits++);
    due.put(key, wait);
    later.add(wait);
  }

  private int countFailure(K key) {
    lock.lock();
    try {
      return failures.merge(key, 1, Integer::sum) - 1;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable K next() {
    K key = queue.poll();
    if (key != null) {
      dirty.remove(key);
      processing.add(key);
      rates.ran(key, ticker.nanos());
      if (!queue.isEmpty()) {
        ready.signal();
      }
    }
    return key;
  }

  /// Queues what is due and returns the nanoseconds to the next such moment, or -1.
  private long moveDue() {
    long now = ticker.nanos();
    while (!later.isEmpty()) {
      Later<K> first = later.getFirst();
      if (first.due() - now > 0) {
        return first.due() - now;
      }
      later.remove(first);
      due.remove(first.key());
      if (dirty.add(first.key()) && !processing.contains(first.key())) {
        enqueue(first.key());
      }
    }
    return -1;
  }
}
