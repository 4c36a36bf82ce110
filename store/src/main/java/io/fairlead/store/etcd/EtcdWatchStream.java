package io.fairlead.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.fairlead.store.KeyChange;
import io.fairlead.store.StoreEntry;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One watch call on all keys from a revision on.
///
/// How it works: etcd gives every write transaction that changes something the next revision, so a
/// watch on all keys sees at least one event of every revision. Having seen the events of revision
/// R is proof that nothing up to R is missing - no progress messages are needed, whose answers to
/// requests could be ahead of events before etcd 3.4.25 and 3.5.8. etcd does not split a
/// transaction over two messages unless asked to (fragments), which we do not.
final class EtcdWatchStream implements AutoCloseable {
  private static final ByteString ALL = ByteString.copyFrom(new byte[1]);
  private static final Metadata REQUIRE_LEADER = new Metadata();

  static {
    // A member that is cut off from the others ends the call instead of falling silent.
    REQUIRE_LEADER.put(Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER), "true");
  }

  private final Receiver receiver;
  private volatile @Nullable ClientCallStreamObserver<WatchRequest> call;

  /// What comes of the call; called by one thread at a time.
  interface Receiver {
    /// The watch is set up; events follow. Returns whether to go on.
    boolean created();

    /// Changes of whole commits, in order. Returns whether to go on.
    boolean changes(List<KeyChange> changes);

    /// History from there is gone; nothing follows.
    void compacted();

    /// The call ended; nothing follows.
    void failed(@Nullable Throwable cause);
  }

  EtcdWatchStream(ManagedChannel channel, long startRevision, Receiver receiver) {
    this.receiver = receiver;
    WatchCreateRequest create =
        WatchCreateRequest.newBuilder()
            .setKey(ALL)
            .setRangeEnd(ALL)
            .setStartRevision(startRevision)
            .setPrevKv(true)
            .build();
    WatchGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(REQUIRE_LEADER))
        .watch(new ResponseObserver())
        .onNext(WatchRequest.newBuilder().setCreateRequest(create).build());
  }

  private final class ResponseObserver
      implements ClientResponseObserver<WatchRequest, WatchResponse> {
    private boolean done;

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
      call = stream;
    }

    @Override
    public void onNext(WatchResponse response) {
      if (done) {
        return;
      }
      if (response.getCompactRevision() != 0) {
        done = true;
        receiver.compacted();
        close();
      } else if (response.getCanceled()) {
        done = true;
        receiver.failed(new IllegalStateException(response.getCancelReason()));
        close();
      } else if (!(response.getCreated() ? receiver.created() : events(response))) {
        done = true;
        close();
      }
    }

    private boolean events(WatchResponse response) {
      if (response.getEventsCount() == 0) {
        return true;
      }
      List<KeyChange> changes = new ArrayList<>(response.getEventsCount());
      for (Event event : response.getEventsList()) {
        KeyChange change = change(event);
        if (change == null) {
          receiver.compacted();
          return false;
        }
        changes.add(change);
      }
      return receiver.changes(changes);
    }

    @Override
    public void onError(Throwable cause) {
      end(cause);
    }

    @Override
    public void onCompleted() {
      end(null);
    }

    private void end(@Nullable Throwable cause) {
      if (!done) {
        done = true;
        receiver.failed(cause);
      }
    }
  }

  /// Translates an event; null when what stood there before has been compacted away meanwhile.
  static @Nullable KeyChange change(Event event) {
    KeyValue kv = event.getKv();
    StoreEntry previous = event.hasPrevKv() ? entry(event.getPrevKv()) : null;
    boolean deleted = event.getType() == Event.EventType.DELETE;
    boolean created = !deleted && kv.getCreateRevision() == kv.getModRevision();
    if (previous == null && !created) {
      return null;
    }
    StoreEntry current = deleted ? null : entry(kv);
    return new KeyChange(kv.getKey().toStringUtf8(), kv.getModRevision(), current, previous);
  }

  static StoreEntry entry(KeyValue kv) {
    return new StoreEntry(
        kv.getKey().toStringUtf8(),
        kv.getValue().toByteArray(),
        kv.getCreateRevision(),
        kv.getModRevision());
  }

  @Override
  public void close() {
    ClientCallStreamObserver<WatchRequest> open = call;
    if (open != null) {
      open.cancel("no longer needed", null);
    }
  }
}
