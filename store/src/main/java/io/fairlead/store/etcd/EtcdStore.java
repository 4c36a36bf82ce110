package io.fairlead.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.fairlead.store.CommitResult;
import io.fairlead.store.CommitValidation;
import io.fairlead.store.CompactedException;
import io.fairlead.store.FutureRevisionException;
import io.fairlead.store.Range;
import io.fairlead.store.RangeResult;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.store.Write;
import io.fairlead.store.engine.Subscription;
import io.fairlead.store.engine.WatchHub;
import io.fairlead.work.Tasks;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A store in etcd, shared by any number of servers.
///
/// How it works: reads and commits are etcd's own range and transaction, linearizable. Watches of
/// this process are served by a [WatchHub] that a single watch call on all keys feeds, see
/// [EtcdWatchStream] for why that needs no progress messages. etcd allows 128 writes in a commit
/// and 1.5 MiB in a request unless configured otherwise.
public final class EtcdStore implements Store {
  private static final int WATCH_QUEUE = 8192;
  private static final int PAGE = 2000;

  /// Where servers agree who compacts; the name that kube-apiserver uses, so that both get along on
  /// one etcd.
  private static final String MARKER = "compact_rev_key";

  private static final Duration FEED_PATIENCE = Duration.ofSeconds(10);

  private final EtcdClient client;
  private final WatchHub hub;
  private final WatchHubFeed feed;
  private final Transactions transactions;
  private final CompactedRevision compactedRevision;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EtcdStore(EtcdClient client) {
    this.client = client;
    this.transactions = new Transactions(client, new Leases(client, System::nanoTime));
    this.compactedRevision = new CompactedRevision(client);
    long revision = client.revision();
    this.hub =
        new WatchHub(new EtcdHistory(client, this::compactedRevision), revision, WATCH_QUEUE);
    this.feed = new WatchHubFeed(client, hub, revision);
  }

  /// Connects.
  ///
  /// @throws StoreException when no endpoint answers
  public static EtcdStore open(EtcdOptions options) {
    EtcdClient client = new EtcdClient(new EtcdChannels(options));
    try {
      return new EtcdStore(client);
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public long revision() {
    return client.revision();
  }

  @Override
  public long compactedRevision() {
    return compactedRevision.find();
  }

  @Override
  public @Nullable StoreEntry get(String key) {
    RangeRequest request = RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).build();
    RangeResponse response = client.read(channel -> client.kv(channel).range(request));
    return response.getKvsCount() == 0 ? null : EtcdWatchStream.entry(response.getKvs(0));
  }

  @Override
  public RangeResult range(Range range) {
    List<StoreEntry> entries = new ArrayList<>();
    long revision = range.revision();
    String after = range.after();
    while (true) {
      int left = range.limit() == 0 ? PAGE : Math.min(PAGE, range.limit() - entries.size());
      RangeResponse response = page(range.prefix(), after, left, revision);
      if (revision == 0) {
        revision = response.getHeader().getRevision();
      }
      for (KeyValue kv : response.getKvsList()) {
        entries.add(EtcdWatchStream.entry(kv));
      }
      long remaining = response.getCount() - response.getKvsCount();
      boolean full = range.limit() > 0 && entries.size() >= range.limit();
      if (remaining == 0 || full) {
        return new RangeResult(List.copyOf(entries), remaining, revision);
      }
      after = entries.getLast().key();
    }
  }

  private RangeResponse page(String prefix, String after, int limit, long revision) {
    boolean skips = CommitValidation.ORDER.compare(after, prefix) >= 0;
    RangeRequest request =
        RangeRequest.newBuilder()
            .setKey(Transactions.rangeStart(prefix, skips ? after : null))
            .setRangeEnd(Transactions.rangeEnd(prefix))
            .setLimit(limit)
            .setRevision(revision)
            .build();
    return client.read(
        channel -> {
          try {
            return client.kv(channel).range(request);
          } catch (StatusRuntimeException e) {
            throw revisionError(e, revision);
          }
        });
  }

  /// What an error about a revision means; other errors are given back as they are.
  private RuntimeException revisionError(StatusRuntimeException e, long asked) {
    if (RevisionErrors.isCompacted(e)) {
      return new CompactedException(asked, compactedRevision());
    }
    if (RevisionErrors.isFuture(e)) {
      return new FutureRevisionException(asked, revision());
    }
    return e;
  }

  @Override
  public CommitResult commit(List<Write> writes) {
    CommitValidation.check(writes);
    return transactions.commit(writes);
  }

  @Override
  public Watch watch(String prefix, long afterRevision, WatchListener listener) {
    if (!client.readable(afterRevision)) {
      throw new CompactedException(afterRevision, compactedRevision());
    }
    return new EtcdWatch(hub.subscribe(prefix, afterRevision, listener));
  }

  private final class EtcdWatch implements Watch {
    private final Subscription subscription;

    EtcdWatch(Subscription subscription) {
      this.subscription = subscription;
    }

    /// Asks etcd for the newest revision, then waits for its events to arrive.
    @Override
    public void requestProgress() {
      Tasks.start(
          "etcd-progress",
          () -> {
            try {
              subscription.requestProgress(revision());
            } catch (StoreException _) {
              subscription.requestProgress(); // what is known here is better than silence
            }
          });
    }

    @Override
    public void close() {
      subscription.close();
    }
  }

  /// Of several servers that compact to about the same revision, the first to move the marker does
  /// it; for the others there is nothing left to do.
  @Override
  public void compact(long revision) {
    StoreEntry marker = get(MARKER);
    if (marker != null && markedRevision(marker) >= revision) {
      return;
    }
    long now = revision();
    if (revision > now) {
      throw new FutureRevisionException(revision, now);
    }
    awaitFeed(revision);
    byte[] value = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
    long expected = marker == null ? Write.ABSENT : marker.modRevision();
    CommitResult outcome = commit(List.of(new Write.Put(MARKER, value, expected)));
    if (outcome instanceof CommitResult.Conflict) {
      return;
    }
    CompactionRequest request = CompactionRequest.newBuilder().setRevision(revision).build();
    client.read(
        channel -> {
          try {
            return client.kv(channel).compact(request).hasHeader();
          } catch (StatusRuntimeException e) {
            if (RevisionErrors.isCompacted(e)) {
              return true;
            }
            throw e;
          }
        });
  }

  /// A server that compacts must have seen what goes: an event that is sent after its previous
  /// value was compacted lacks that value, and the whole feed would have to restart.
  private void awaitFeed(long revision) {
    try {
      if (!hub.awaitPublished(revision, FEED_PATIENCE)) {
        throw new StoreException(
            "not compacting to " + revision + ": this server has not seen it yet, try later", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while waiting to compact", e);
    }
  }

  private static long markedRevision(StoreEntry marker) {
    try {
      return Long.parseLong(new String(marker.value(), StandardCharsets.US_ASCII));
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    feed.close();
    client.close();
    hub.close();
  }
}
