package io.fairlead.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.fairlead.store.StoreException;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Single calls to etcd: which may be repeated, and what their failures mean.
final class EtcdClient implements AutoCloseable {
  /// Any key: a call about no key in particular names this one.
  private static final ByteString NO_KEY = ByteString.copyFromUtf8("\0fairlead");

  private static final long TIMEOUT_SECONDS = 10;
  private final EtcdChannels channels;
  private volatile boolean closed;

  EtcdClient(EtcdChannels channels) {
    this.channels = channels;
  }

  EtcdChannels channels() {
    return channels;
  }

  KVGrpc.KVBlockingStub kv(ManagedChannel channel) {
    return KVGrpc.newBlockingStub(channel).withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  /// A call that changes nothing, or may safely be done twice: repeated at the next endpoint.
  <T> T read(Function<ManagedChannel, T> call) {
    return call(call, true);
  }

  /// A call that must not be done twice: repeated only when it was certainly not sent.
  <T> T write(Function<ManagedChannel, T> call) {
    return call(call, false);
  }

  private <T> T call(Function<ManagedChannel, T> call, boolean repeatable) {
    for (int attempt = 1; ; attempt++) {
      if (closed) {
        throw new StoreException("the store is closed", null);
      }
      ManagedChannel channel = channels.current();
      try {
        return call.apply(channel);
      } catch (StatusRuntimeException e) {
        boolean unreachable = e.getStatus().getCode() == Status.Code.UNAVAILABLE;
        boolean unsent = unreachable && refused(e);
        if (unreachable) {
          channels.failed(channel);
        }
        if (!unreachable || !(repeatable || unsent) || attempt > channels.size()) {
          throw failure(e, !repeatable && !unsent);
        }
      }
    }
  }

  private static boolean refused(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException) {
        return true;
      }
    }
    return false;
  }

  /// What went wrong in the handshake, the innermost cause; null when that was not it.
  private static @Nullable Throwable tlsFailure(Throwable e) {
    Throwable found = null;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      boolean first = found == null && cause instanceof SSLException;
      if (first || (found != null && cause.getMessage() != null)) {
        found = cause;
      }
    }
    return found;
  }

  /// Words a failure. Errors of history are told apart by their callers before this.
  StoreException failure(StatusRuntimeException e, boolean mayHaveHappened) {
    if (closed) {
      return new StoreException("the store is closed", e, mayHaveHappened);
    }
    Throwable tls = tlsFailure(e);
    if (tls != null) {
      return new StoreException(
          "etcd at "
              + channels
              + " and we do not trust each other: "
              + tls.getMessage()
              + ". Check the trusted authority, etcd's certificate and its names, and our client"
              + " certificate",
          e,
          mayHaveHappened);
    }
    String text = e.getStatus().getDescription();
    return switch (e.getStatus().getCode()) {
      case RESOURCE_EXHAUSTED ->
          new StoreException(
              "etcd refuses: "
                  + text
                  + ". Compact and defragment it, raise its quota, then clear the alarm (etcdctl"
                  + " alarm disarm)",
              e);
      case INVALID_ARGUMENT -> new StoreException("etcd refuses: " + text, e);
      case UNAUTHENTICATED, PERMISSION_DENIED ->
          new StoreException(
              "etcd does not let us in: " + text + ". Check its users and our certificate", e);
      default ->
          new StoreException(
              "etcd at "
                  + channels
                  + " does not answer: "
                  + (text == null ? e.getStatus().getCode() : text)
                  + ". Check that it runs, has a leader and can be reached, and that it "
                  + (channels.secure() ? "trusts our certificate" : "does not expect https"),
              e,
              mayHaveHappened);
    };
  }

  /// The newest revision; a linearizable read, so never older than what anyone has been told.
  long revision() {
    RangeRequest request = RangeRequest.newBuilder().setKey(NO_KEY).setCountOnly(true).build();
    return read(channel -> kv(channel).range(request)).getHeader().getRevision();
  }

  /// Whether history at that revision can still be read.
  boolean readable(long revision) {
    RangeRequest request =
        RangeRequest.newBuilder()
            .setKey(NO_KEY)
            .setCountOnly(true)
            .setRevision(Math.max(1, revision))
            .build();
    return read(
        channel -> {
          try {
            RangeResponse response = kv(channel).range(request);
            return response.getCount() >= 0;
          } catch (StatusRuntimeException e) {
            if (RevisionErrors.isCompacted(e)) {
              return false;
            }
            if (RevisionErrors.isFuture(e)) {
              return true;
            }
            throw e;
          }
        });
  }

  @Override
  public void close() {
    closed = true;
    channels.close();
  }
}
