package io.fairlead.store.engine;

import io.fairlead.store.KeyChange;
import io.fairlead.store.StoreException;
import io.fairlead.store.WatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Hands commits to watches: the part of a watch that all in-process engines share.
///
/// How it works: the committing thread publishes each commit once, under the hub's lock, which
/// appends it to the bounded queue of every live watch whose prefix matches. Each watch has its own
/// virtual thread that empties its queue into the listener. A watch that starts in the past, or
/// whose queue overflowed, is not live: its thread reads [History] in steps until it has reached
/// what is published, then turns live under the same lock. So nothing is lost or delivered twice,
/// the committing thread never waits for a listener, and a slow listener costs a bounded queue.
///
/// The lock guards memory work only. It may be taken while an engine's own lock is held, never the
/// other way round.
public final class WatchHub implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private final Set<Subscription> subscriptions = new LinkedHashSet<>();
  private final History history;
  private final int queueLimit;
  private long published;
  private boolean closed;

  /// @param history where watches catch up
  /// @param revision what is durable and visible already
  /// @param queueLimit how many changes wait for one listener before it has to catch up
  public WatchHub(History history, long revision, int queueLimit) {
    this.history = history;
    this.published = revision;
    this.queueLimit = queueLimit;
  }

  /// Makes a commit visible and hands it to the watches. Commits are published in revision order by
  /// one thread at a time. `makeVisible` runs first, inside the lock, so that a caller that has
  /// seen the new revision and then asks for progress gets at least that revision.
  public void publish(long revision, List<KeyChange> changes, Runnable makeVisible) {
    publish(List.of(new Commit(revision, changes)), makeVisible);
  }

  /// One commit as watches see it.
  public record Commit(long revision, List<KeyChange> changes) {}

  /// The same for commits that became durable together: watches wake once for all of them.
  public void publish(List<Commit> commits, Runnable makeVisible) {
    lock.lock();
    try {
      makeVisible.run();
      published = commits.getLast().revision();
      advanced.signalAll();
      for (Subscription subscription : subscriptions) {
        for (Commit commit : commits) {
          subscription.offer(commit.revision(), commit.changes());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// Waits until everything up to that revision has been published.
  ///
  /// @return false when that took too long
  public boolean awaitPublished(long revision, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (published < revision && left > 0) {
        left = advanced.awaitNanos(left);
      }
      return published >= revision;
    } finally {
      lock.unlock();
    }
  }

  /// Starts a watch. The engine has checked that history behind `afterRevision` is there.
  public Subscription subscribe(String prefix, long afterRevision, WatchListener listener) {
    Subscription subscription = new Subscription(this, prefix, afterRevision, listener);
    lock.lock();
    try {
      if (closed) {
        throw new StoreException("the store is closed", null);
      }
      subscriptions.add(subscription);
      subscription.start();
    } finally {
      lock.unlock();
    }
    return subscription;
  }

  /// Ends every watch because the engine lost its place in history, and goes on from `revision`.
  public void restart(long revision, StoreException cause) {
    lock.lock();
    try {
      subscriptions.forEach(subscription -> subscription.end(cause));
      subscriptions.clear();
      published = revision;
    } finally {
      lock.unlock();
    }
  }

  /// Ends every watch and waits until their listeners know.
  @Override
  public void close() {
    List<Subscription> ending;
    lock.lock();
    try {
      closed = true;
      ending = new ArrayList<>(subscriptions);
      ending.forEach(
          subscription -> subscription.end(new StoreException("the store is closed", null)));
    } finally {
      lock.unlock();
    }
    ending.forEach(Subscription::join);
  }

  ReentrantLock lock() {
    return lock;
  }

  History history() {
    return history;
  }

  int queueLimit() {
    return queueLimit;
  }

  /// Read under the lock.
  long published() {
    return published;
  }

  void remove(Subscription subscription) {
    lock.lock();
    try {
      subscriptions.remove(subscription);
    } finally {
      lock.unlock();
    }
  }
}
