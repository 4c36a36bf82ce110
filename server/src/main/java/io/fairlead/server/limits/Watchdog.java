package io.fairlead.server.limits;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Ends requests whose client sends its body too slowly. Everything else in a request is bounded by
/// itself or asks its [Deadline].
///
/// How it works: one loop checks all guarded requests ten times a second. A timer for each would
/// wake a thread for every request, and hardly a request is ever late.
public final class Watchdog implements AutoCloseable {
  /// The kind of its loop.
  public static final String LOOP = "request-deadlines";

  private static final Duration PERIOD = Duration.ofMillis(100);

  private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
  private final Ticker ticker;
  private final SupervisedLoop loop;

  public Watchdog() {
    this(Ticker.system());
  }

  Watchdog(Ticker ticker) {
    this.ticker = ticker;
    // A platform thread: requests are ended also when all carriers of virtual threads are busy.
    this.loop = SupervisedLoop.of(LOOP).platform().afterEach(PERIOD).start(this::check);
  }

  /// Watches one request until it is cancelled.
  public final class Guard {
    private final HttpServerExchange exchange;
    private final long end;

    private Guard(HttpServerExchange exchange, long end) {
      this.exchange = exchange;
      this.end = end;
    }

    /// Ends the guard; the request goes on. Idempotent.
    public void cancel() {
      guards.remove(this);
    }
  }

  /// Lets reads of the exchange's body fail soon after that time, unless cancelled before.
  public Guard guard(HttpServerExchange exchange, Duration time) {
    Guard guard = new Guard(exchange, ticker.nanos() + time.toNanos());
    guards.add(guard);
    return guard;
  }

  private void check() {
    long now = ticker.nanos();
    for (Guard guard : guards) {
      if (guard.end - now <= 0 && guards.remove(guard)) {
        guard.exchange.abort(new Deadline.Exceeded());
      }
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
