package io.fairlead.dns.forward;

import io.fairlead.work.Ticker;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Connections that wait to be used again, the longest waiting first: so many are in use in turn
/// that the local port of the next query is hard to guess. Safe for any thread.
final class IdleConnections<T extends AutoCloseable> {
  private static final Logger log = LoggerFactory.getLogger(IdleConnections.class);

  private record Waiting<T>(T connection, long opened, long since) {}

  private final ForwardOptions.Connections options;
  private final Ticker ticker;
  // Guarded by this.
  private final Deque<Waiting<T>> waiting = new ArrayDeque<>();
  private boolean closed;

  IdleConnections(ForwardOptions.Connections options, Ticker ticker) {
    this.options = options;
    this.ticker = ticker;
  }

  /// A connection with the time it was opened.
  record Borrowed<T>(T connection, long opened) {}

  synchronized @Nullable Borrowed<T> take() {
    sweep();
    Waiting<T> next = waiting.poll();
    return next == null ? null : new Borrowed<>(next.connection(), next.opened());
  }

  synchronized void giveBack(Borrowed<T> lent) {
    sweep();
    boolean full = options.maxIdle() > 0 && waiting.size() >= options.maxIdle();
    if (closed || full) {
      end(lent.connection());
    } else {
      waiting.add(new Waiting<>(lent.connection(), lent.opened(), ticker.nanos()));
    }
  }

  Borrowed<T> opened(T connection) {
    return new Borrowed<>(connection, ticker.nanos());
  }

  synchronized void close() {
    closed = true;
    waiting.forEach(each -> end(each.connection()));
    waiting.clear();
  }

  private void sweep() {
    long now = ticker.nanos();
    waiting.removeIf(
        each -> {
          boolean old =
              now - each.since() > options.expire().toNanos()
                  || (options.maxAge().isPositive()
                      && now - each.opened() > options.maxAge().toNanos());
          if (old) {
            end(each.connection());
          }
          return old;
        });
  }

  private void end(T connection) {
    try {
      connection.close();
    } catch (Exception e) {
      log.debug("closing a connection failed", e);
    }
  }
}
