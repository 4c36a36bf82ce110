package io.fairlead.store.etcd;

import io.fairlead.store.Change;
import io.fairlead.store.CompactedException;
import io.fairlead.store.StoreException;
import io.fairlead.store.watch.WatchHub;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Feeds the hub from one watch on all keys, for as long as the store is open.
///
/// When the call ends it is made again, at the next endpoint, from the revision after the last one
/// that was published: nothing is lost or told twice. When etcd has compacted that revision
/// meanwhile, all watches end with that reason and the feed goes on from the present.
final class Feed implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Feed.class);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Client client;
  private final WatchHub hub;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private boolean closed;
  private @Nullable CompletableFuture<End> running;

  /// Up to here everything has been published. Owned by whoever serves the present call.
  private volatile long last;

  /// How a call ended.
  private enum End {
    COMPACTED,
    FAILED,
    CLOSED
  }

  Feed(Client client, WatchHub hub, long revision) {
    this.client = client;
    this.hub = hub;
    this.last = revision;
    this.thread = Thread.ofVirtual().name("etcd-feed").start(this::run);
  }

  private void run() {
    long pause = FIRST_PAUSE_NANOS;
    while (!isClosed()) {
      long before = last;
      try {
        if (follow() == End.COMPACTED) {
          startAnew();
        }
      } catch (RuntimeException e) {
        log.atWarn().setCause(e).log("etcd cannot be watched; trying again");
      }
      pause = last > before ? FIRST_PAUSE_NANOS : Math.min(2 * pause, LAST_PAUSE_NANOS);
      pause(pause);
    }
  }

  private void startAnew() {
    long now = client.revision();
    hub.restart(now, new CompactedException(last, now));
    last = now;
  }

  /// Serves one call until it ends.
  private End follow() {
    ManagedChannel channel = client.channels().current();
    CompletableFuture<End> end = begin();
    WatchStream.Receiver receiver =
        new WatchStream.Receiver() {
          @Override
          public boolean created() {
            // etcd serves a watch from the compacted revision itself, but its deletions are gone.
            try {
              if (client.readable(last)) {
                return true;
              }
              compacted();
            } catch (StoreException e) {
              failed(e);
            }
            return false;
          }

          @Override
          public boolean changes(List<Change> changes) {
            publish(changes);
            return !end.isDone();
          }

          @Override
          public void compacted() {
            end.complete(End.COMPACTED);
          }

          @Override
          public void failed(@Nullable Throwable cause) {
            end.complete(End.FAILED);
          }
        };
    try (WatchStream _ = new WatchStream(channel, last + 1, receiver)) {
      End how = end.join();
      if (how == End.FAILED) {
        client.channels().failed(channel);
      }
      return how;
    }
  }

  private void publish(List<Change> changes) {
    int from = 0;
    while (from < changes.size()) {
      long revision = changes.get(from).revision();
      int to = from;
      while (to < changes.size() && changes.get(to).revision() == revision) {
        to++;
      }
      if (revision > last) {
        last = revision;
        hub.publish(revision, List.copyOf(changes.subList(from, to)), () -> {});
      }
      from = to;
    }
  }

  private CompletableFuture<End> begin() {
    CompletableFuture<End> end = new CompletableFuture<>();
    lock.lock();
    try {
      running = end;
      if (closed) {
        end.complete(End.CLOSED);
      }
      return end;
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private void pause(long nanos) {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && left > 0) {
        left = closing.awaitNanos(left);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      closing.signalAll();
      if (running != null) {
        running.complete(End.CLOSED);
      }
    } finally {
      lock.unlock();
    }
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
