package io.fairlead.server.limits;

import io.fairlead.server.http.Exchange;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Ends requests whose client sends its body too slowly. Everything else in a request is bounded by
/// itself or asks its [Deadline].
public final class Watchdog implements AutoCloseable {
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("deadlines").factory());

  public Watchdog() {
    timer.setRemoveOnCancelPolicy(true);
  }

  /// Lets reads of the exchange's body fail after that time, unless cancelled before.
  public Future<?> guard(Exchange exchange, Duration time) {
    return timer.schedule(
        () -> exchange.abort(new Deadline.Exceeded()), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
