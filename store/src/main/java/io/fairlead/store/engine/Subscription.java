package io.fairlead.store.engine;

import io.fairlead.store.KeyChange;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One watch. All fields are guarded by the hub's lock; the listener is called outside of it, by
/// the watch's own loop only. A listener that throws ends its watch: what it has seen of the
/// changes is unknown, so that they cannot be delivered again.
public final class Subscription implements Watch {
  /// The kind of the loops of all watches.
  static final String LOOP = "store-watch";

  private static final Logger log = LoggerFactory.getLogger(Subscription.class);
  private static final Duration END_WITHIN = Duration.ofSeconds(10);

  private final WatchHub hub;
  private final String prefix;
  private final WatchListener listener;
  private final SupervisedLoop loop;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ReentrantLock lock;
  private final Condition changed;

  /// Everything up to and including this revision has been taken for the listener.
  private long taken;

  /// Whether new commits go to `queue`; otherwise the loop reads history from `taken` on.
  private boolean live;

  private List<KeyChange> queue = new ArrayList<>();

  /// The revision that a progress asked for must cover; negative when none was asked for.
  private long wanted = -1;

  private boolean calling;
  private boolean closed;
  private @Nullable StoreException end;

  Subscription(WatchHub hub, String prefix, long afterRevision, WatchListener listener) {
    this.hub = hub;
    this.prefix = prefix;
    this.taken = afterRevision;
    this.listener = listener;
    this.lock = hub.lock();
    this.changed = lock.newCondition();
    // No interrupt: a listener must not meet one.
    this.loop = SupervisedLoop.of(LOOP).key(prefix).stopBy(() -> {}).build(this::serveNext);
  }

  /// What the loop does next; decided under the lock, done outside of it.
  private sealed interface Step {
    record CatchUp(long after, long upTo) implements Step {}

    record Deliver(List<KeyChange> changes, long progress) implements Step {}

    record End(@Nullable StoreException cause) implements Step {}
  }

  /// Called under the lock. A watch that starts in the present is live before `watch` returns.
  void start() {
    live = taken >= hub.published();
    loop.start();
  }

  /// Called under the lock.
  void offer(long revision, List<KeyChange> changes) {
    boolean queued = !queue.isEmpty() && revision <= queue.getLast().revision();
    if (!live || revision <= taken || queued) {
      return;
    }
    int before = queue.size();
    for (KeyChange change : changes) {
      if (change.key().startsWith(prefix)) {
        queue.add(change);
      }
    }
    if (queue.size() > hub.queueLimit()) {
      fallBehind();
    }
    if (queue.size() != before || progressDue()) {
      changed.signalAll();
    }
  }

  private boolean progressDue() {
    return wanted >= 0 && hub.published() >= wanted;
  }

  private void fallBehind() {
    taken = queue.getFirst().revision() - 1;
    queue = new ArrayList<>();
    live = false;
    changed.signalAll();
  }

  /// Called under the lock.
  void end(StoreException cause) {
    if (end == null) {
      end = cause;
      changed.signalAll();
    }
  }

  /// Waits until the listener knows that the watch has ended.
  void join() {
    if (!loop.isCurrentThread()) {
      Latches.awaitUninterruptibly(ended, END_WITHIN);
    }
  }

  @Override
  public void requestProgress() {
    requestProgress(0);
  }

  /// Asks for a progress that covers at least that revision, which may still be on its way here.
  public void requestProgress(long atLeast) {
    lock.lock();
    try {
      wanted = Math.max(wanted, Math.max(atLeast, hub.published()));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    hub.remove(this);
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      while (calling && !loop.isCurrentThread()) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
    finish();
  }

  private void finish() {
    hub.remove(this);
    loop.finish();
    ended.countDown();
  }

  private void serveNext() {
    try {
      switch (next()) {
        case Step.CatchUp(long after, long upTo) -> catchUp(after, upTo);
        case Step.Deliver(List<KeyChange> changes, long progress) -> deliver(changes, progress);
        case Step.End(StoreException cause) -> finish(cause);
      }
    } catch (RuntimeException | Error e) {
      log.atError().addKeyValue("prefix", prefix).setCause(e).log("a watch's listener failed");
      finish(new StoreException("the watch's listener failed: " + e, e));
    }
  }

  private void finish(@Nullable StoreException cause) {
    try {
      if (cause != null) {
        call(() -> listener.onEnd(cause));
      }
    } finally {
      finish();
    }
  }

  private Step next() {
    lock.lock();
    try {
      while (true) {
        if (closed) {
          return new Step.End(null);
        }
        if (end != null) {
          return new Step.End(end);
        }
        if (!live && taken < hub.published()) {
          return new Step.CatchUp(taken, hub.published());
        }
        live = true;
        if (!queue.isEmpty() || progressDue()) {
          return take();
        }
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Takes the queue and the progress asked for. All that is published up to now is in the queue or
  /// was taken before, because both are written under the lock.
  private Step take() {
    List<KeyChange> changes = queue;
    queue = new ArrayList<>();
    if (!changes.isEmpty()) {
      taken = changes.getLast().revision();
    }
    long progress = progressDue() ? hub.published() : -1;
    if (progress >= 0) {
      wanted = -1;
    }
    return new Step.Deliver(changes, progress);
  }

  private void catchUp(long after, long upTo) {
    History.Batch batch;
    try {
      batch = hub.history().read(prefix, after, upTo);
    } catch (StoreException e) {
      lock.lock();
      try {
        end(e);
      } finally {
        lock.unlock();
      }
      return;
    }
    deliver(batch.changes(), -1);
    lock.lock();
    try {
      taken = batch.through();
    } finally {
      lock.unlock();
    }
  }

  private void deliver(List<KeyChange> changes, long progress) {
    if (!changes.isEmpty()) {
      call(() -> listener.onChanges(changes));
    }
    if (progress >= 0) {
      call(() -> listener.onProgress(progress));
    }
  }

  /// Calls the listener unless the watch was closed; `close` waits while this runs.
  private void call(Runnable callback) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      calling = true;
    } finally {
      lock.unlock();
    }
    try {
      callback.run();
    } finally {
      lock.lock();
      try {
        calling = false;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
