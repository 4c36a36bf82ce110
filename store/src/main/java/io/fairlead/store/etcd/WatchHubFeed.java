package io.fairlead.store.etcd;

import io.fairlead.store.CompactedException;
import io.fairlead.store.KeyChange;
import io.fairlead.store.StoreException;
import io.fairlead.store.engine.WatchHub;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Feeds the hub from one watch on all keys, for as long as the store is open.
///
/// When the call ends it is made again, at the next endpoint, from the revision after the last one
/// that was published: nothing is lost or delivered twice. When etcd has compacted that revision
/// meanwhile, all watches end with that reason and the feed goes on from the present.
final class WatchHubFeed implements AutoCloseable {
  /// The kind of its loop.
  static final String LOOP = "etcd-feed";

  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

  private final EtcdClient client;
  private final WatchHub hub;
  private final SupervisedLoop loop;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;
  private @Nullable CompletableFuture<End> running;

  /// Up to here everything has been published. Owned by the thread that serves the present call.
  private volatile long last;

  /// How a call ended.
  private enum End {
    COMPACTED,
    FAILED,
    CLOSED
  }

  WatchHubFeed(EtcdClient client, WatchHub hub, long revision) {
    this.client = client;
    this.hub = hub;
    this.last = revision;
    this.loop = SupervisedLoop.of(LOOP).backoff(BACKOFF).stopBy(this::stop).build(this::followNext);
    loop.start();
  }

  private void followNext() {
    long before = last;
    End end = follow();
    if (end == End.COMPACTED) {
      restart();
    }
    if (last > before) {
      loop.progress();
    }
    if (end == End.FAILED) {
      throw new StoreException("the watch of etcd ended", null);
    }
  }

  private void restart() {
    long now = client.revision();
    hub.restart(now, new CompactedException(last, now));
    last = now;
  }

  /// Serves one call until it ends.
  private End follow() {
    ManagedChannel channel = client.channels().current();
    CompletableFuture<End> end = begin();
    EtcdWatchStream.Receiver receiver =
        new EtcdWatchStream.Receiver() {
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
          public boolean changes(List<KeyChange> changes) {
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
    try (EtcdWatchStream _ = new EtcdWatchStream(channel, last + 1, receiver)) {
      End how = end.join();
      if (how == End.FAILED) {
        client.channels().failed(channel);
      }
      return how;
    }
  }

  private void publish(List<KeyChange> changes) {
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

  private void stop() {
    lock.lock();
    try {
      closed = true;
      if (running != null) {
        running.complete(End.CLOSED);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
