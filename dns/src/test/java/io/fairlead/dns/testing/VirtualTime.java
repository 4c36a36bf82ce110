package io.fairlead.dns.testing;

import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Time that a test moves. Who pauses waits until it has been moved far enough.
public final class VirtualTime implements Ticker, InstantSource, Pacer {
  private static final Instant START = Instant.parse("2026-11-15T00:00:00Z");

  private long nanos;
  private int sleepers;

  @Override
  public synchronized long nanos() {
    return nanos;
  }

  @Override
  public synchronized Instant instant() {
    return START.plusNanos(nanos);
  }

  @Override
  public synchronized void pause(Duration time) throws InterruptedException {
    long until = nanos + time.toNanos();
    sleepers++;
    notifyAll();
    try {
      while (nanos < until) {
        wait();
      }
    } finally {
      sleepers--;
    }
  }

  public synchronized void advance(Duration time) {
    nanos += time.toNanos();
    notifyAll();
  }

  /// Threads that pause now.
  public synchronized int sleepers() {
    return sleepers;
  }
}
