package io.fairlead.proxy.userspace.relay;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.userspace.balance.EndpointPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// A listening socket and the pool behind it. Closing it ends the listening and, for UDP, the
/// conversations; TCP connections live on. Used by many threads.
public final class Portal implements AutoCloseable {
  private final Protocol protocol;
  private final IpAddress address;
  private final int port;
  private final EndpointPool pool;
  private final Runnable closer;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final AtomicInteger open = new AtomicInteger();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  Portal(Protocol protocol, IpAddress address, int port, EndpointPool pool, Runnable closer) {
    this.protocol = protocol;
    this.address = address;
    this.port = port;
    this.pool = pool;
    this.closer = closer;
  }

  public Protocol protocol() {
    return protocol;
  }

  /// Where it listens.
  public IpAddress address() {
    return address;
  }

  /// The port it listens on.
  public int port() {
    return port;
  }

  public EndpointPool pool() {
    return pool;
  }

  /// Connections, or conversations, it has now.
  public int open() {
    return open.get();
  }

  /// Connections, or conversations, it has had.
  public long accepted() {
    return accepted.sum();
  }

  /// Bytes carried, both ways.
  public long bytes() {
    return bytes.sum();
  }

  void opened() {
    open.incrementAndGet();
    accepted.increment();
  }

  void closed() {
    open.decrementAndGet();
  }

  void carried(long count) {
    bytes.add(count);
  }

  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      closer.run();
    }
  }
}
