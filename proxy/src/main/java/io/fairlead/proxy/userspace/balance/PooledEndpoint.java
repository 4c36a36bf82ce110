package io.fairlead.proxy.userspace.balance;

import io.fairlead.api.net.IpAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// One endpoint with what has been seen of it. It outlives changes of its pool, so that counts are
/// right. Used by many threads.
///
/// How it works: one that did not accept a connection is *avoided* for a second, then for two, up
/// to ten: while another is there it is not tried first. So a dead endpoint costs few clients a
/// wait. The first connection it accepts ends that.
public final class PooledEndpoint {
  private static final long FIRST_PAUSE = 1_000_000_000L;
  private static final int MOST_DOUBLINGS = 3;
  private static final long LONGEST_PAUSE = 10_000_000_000L;

  private final IpAddress address;
  private final int port;
  private final int weight;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong served = new AtomicLong();
  private volatile int failures;
  private volatile long avoidedUntil;

  /// @param weight its share where shares are unequal; 0 for nothing
  public PooledEndpoint(IpAddress address, int port, int weight) {
    this.address = address;
    this.port = port;
    this.weight = weight;
  }

  public IpAddress address() {
    return address;
  }

  public int port() {
    return port;
  }

  public int weight() {
    return weight;
  }

  /// How many connections it has now.
  public int connections() {
    return connections.get();
  }

  /// How many connections it has had.
  public long served() {
    return served.get();
  }

  /// A connection is being made.
  public void begin() {
    connections.incrementAndGet();
  }

  /// It was accepted.
  public void accepted() {
    served.incrementAndGet();
    if (failures != 0) {
      failures = 0;
    }
  }

  /// It has ended, or was never accepted.
  public void end() {
    connections.decrementAndGet();
  }

  /// It did not accept.
  ///
  /// @param now of a ticker
  public void failed(long now) {
    int doublings = Math.min(failures, MOST_DOUBLINGS);
    avoidedUntil = now + Math.min(FIRST_PAUSE << doublings, LONGEST_PAUSE);
    failures = doublings + 1;
  }

  boolean isAvoided(long now) {
    return failures != 0 && avoidedUntil - now > 0;
  }

  /// `10.0.0.1:80`.
  public String text() {
    return address.isIpv4() ? address + ":" + port : "[" + address + "]:" + port;
  }

  @Override
  public String toString() {
    return text();
  }
}
