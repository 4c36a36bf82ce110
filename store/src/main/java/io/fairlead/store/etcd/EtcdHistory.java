package io.fairlead.store.etcd;

import io.fairlead.store.CompactedException;
import io.fairlead.store.KeyChange;
import io.fairlead.store.StoreException;
import io.fairlead.store.engine.History;
import io.grpc.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads changes of the past with a watch call that ends when it has seen enough.
final class EtcdHistory implements History {
  private static final Logger log = LoggerFactory.getLogger(EtcdHistory.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int BATCH_CHANGES = 2000;
  private static final long BATCH_BYTES = 4L << 20;
  private static final long TIMEOUT_SECONDS = 30;

  private final EtcdClient client;
  private final LongSupplier compacted;

  EtcdHistory(EtcdClient client, LongSupplier compacted) {
    this.client = client;
    this.compacted = compacted;
  }

  /// A step of catching up. When etcd cannot be reached the step is empty, after a pause: the watch
  /// asks again for as long as it is open, and goes on when etcd is back.
  @Override
  public Batch read(String prefix, long after, long upTo) {
    Collector collector = new Collector(prefix, after, upTo);
    ManagedChannel channel = client.channels().current();
    try (EtcdWatchStream _ = new EtcdWatchStream(channel, after + 1, collector)) {
      return collector.result.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof CompactedException cause) {
        throw cause;
      }
      log.atDebug().setCause(e).log("etcd's history cannot be read; trying again");
      client.channels().failed(channel);
      LockSupport.parkNanos(PAUSE_NANOS);
      return new Batch(List.of(), after);
    }
  }

  private final class Collector implements EtcdWatchStream.Receiver {
    final CompletableFuture<Batch> result = new CompletableFuture<>();
    private final String prefix;
    private final long after;
    private final long upTo;
    private final List<KeyChange> found = new ArrayList<>();
    private long bytes;

    Collector(String prefix, long after, long upTo) {
      this.prefix = prefix;
      this.after = after;
      this.upTo = upTo;
    }

    @Override
    public boolean created() {
      try {
        if (client.readable(after)) {
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
      for (KeyChange change : changes) {
        if (change.revision() <= upTo && change.key().startsWith(prefix)) {
          found.add(change);
          bytes += change.current() == null ? 64 : change.current().value().length;
        }
      }
      long through = Math.min(upTo, changes.getLast().revision());
      if (through < upTo && found.size() < BATCH_CHANGES && bytes < BATCH_BYTES) {
        return true;
      }
      result.complete(new Batch(List.copyOf(found), through));
      return false;
    }

    @Override
    public void compacted() {
      result.completeExceptionally(new CompactedException(after, compacted.getAsLong()));
    }

    @Override
    public void failed(@Nullable Throwable cause) {
      result.completeExceptionally(
          new StoreException("cannot read etcd's history after " + after + ": " + cause, cause));
    }
  }
}
