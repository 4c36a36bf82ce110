package io.fairlead.client.transport;

import io.fairlead.client.ClientConfig;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The transport of long-lived parts that must be at work soon after their start.
///
/// How it works: what a part begins with, reads, watches and its first writes, goes over sockets of
/// their own, which a fresh process has ready at once. What is written again and again goes over
/// the kept connection of an [HttpTransport], which takes a fresh process long and is made when it
/// is needed first.
public final class FastStartTransport implements Transport {
  private static final int FIRST_WRITES = 3;

  private final ClientConfig connection;
  private final String userAgent;
  private final SocketTransport sockets;
  private final AtomicInteger writes = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private @Nullable HttpTransport kept;
  private boolean closed;

  /// Does not connect yet. Arguments as those of [HttpTransport].
  public FastStartTransport(ClientConfig connection, String userAgent) {
    this.connection = connection;
    this.userAgent = userAgent;
    this.sockets = new SocketTransport(connection, userAgent);
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    boolean repeated = !request.method().equals("GET") && writes.incrementAndGet() > FIRST_WRITES;
    // The kept one cannot check a certificate against another name than the address.
    return repeated && connection.tlsServerName().isEmpty()
        ? kept().send(request)
        : sockets.send(request);
  }

  @Override
  public LineStream stream(ApiRequest request) {
    return sockets.stream(request);
  }

  private HttpTransport kept() {
    lock.lock();
    try {
      if (closed) {
        throw new ConnectionException("the client was closed");
      }
      HttpTransport present = kept;
      if (present == null) {
        present = new HttpTransport(connection, userAgent);
        kept = present;
      }
      return present;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    HttpTransport last;
    lock.lock();
    try {
      closed = true;
      last = kept;
      kept = null;
    } finally {
      lock.unlock();
    }
    sockets.close();
    if (last != null) {
      last.close();
    }
  }
}
