package io.fairlead.server.limits;

import io.fairlead.server.http.Exchange;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Ends requests whose client sends its body too slowly. Everything else in a request is bounded by
/// itself or asks its [Deadline].
///
/// How it works: a thread looks ten times a second at all requests that are guarded. A timer of
/// their own would wake that thread for every request, and hardly one is ever late.
public final class Watchdog implements AutoCloseable {
  private static final long LOOK_MILLIS = 100;

  private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("deadlines").factory());

  public Watchdog() {
    timer.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /// Watches one request until it is cancelled.
  public final class Guard {
    private final Exchange exchange;
    private final long end;

    private Guard(Exchange exchange, long end) {
      this.exchange = exchange;
      this.end = end;
    }

    /// Leaves the request alone from now on. Idempotent.
    public void cancel() {
      guards.remove(this);
    }
  }

  /// Lets reads of the exchange's body fail soon after that time, unless cancelled before.
  public Guard guard(Exchange exchange, Duration time) {
    Guard guard = new Guard(exchange, System.nanoTime() + time.toNanos());
    guards.add(guard);
    return guard;
  }

  private void look() {
    long now = System.nanoTime();
    for (Guard guard : guards) {
      if (guard.end - now <= 0 && guards.remove(guard)) {
        guard.exchange.abort(new Deadline.Exceeded());
      }
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
