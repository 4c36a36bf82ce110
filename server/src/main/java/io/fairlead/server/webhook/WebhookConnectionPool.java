package io.fairlead.server.webhook;

import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Connections that wait for the next request, by whom they lead to and whom they trusted. Bounded;
/// what is too much or has waited too long is closed. Safe for many threads.
final class WebhookConnectionPool {
  private static final int MOST_OF_ONE = 8;
  private static final int MOST = 64;
  private static final long WAIT_NANOS = Duration.ofSeconds(60).toNanos();

  /// @param serverName the name that the certificate was checked for
  /// @param caBundle by whom
  record Key(WebhookClientConfig.Destination destination, String serverName, String caBundle) {
    static Key of(WebhookClientConfig config) {
      return new Key(config.destination(), config.destination().serverName(), config.caBundle());
    }
  }

  private record Waiting(WebhookConnection connection, long since) {}

  private final Ticker ticker;
  // Guarded by this.
  private final Map<Key, Deque<Waiting>> waiting = new HashMap<>();
  private int size;
  private boolean closed;

  WebhookConnectionPool(Ticker ticker) {
    this.ticker = ticker;
  }

  /// The one that was used last, or null.
  synchronized @Nullable WebhookConnection take(Key key) {
    Deque<Waiting> list = waiting.get(key);
    if (list == null) {
      return null;
    }
    Waiting found = list.pollFirst();
    dropOld(list);
    if (list.isEmpty()) {
      waiting.remove(key);
    }
    if (found == null) {
      return null;
    }
    size--;
    if (ticker.nanos() - found.since() > WAIT_NANOS) {
      found.connection().abort();
      return null;
    }
    return found.connection();
  }

  private void dropOld(Deque<Waiting> list) {
    for (Waiting last = list.peekLast();
        last != null && ticker.nanos() - last.since() > WAIT_NANOS;
        last = list.peekLast()) {
      list.removeLast().connection().abort();
      size--;
    }
  }

  /// Keeps it for the next one, or closes it.
  synchronized void give(Key key, WebhookConnection connection) {
    Deque<Waiting> list = waiting.computeIfAbsent(key, _ -> new ArrayDeque<>());
    if (closed || size >= MOST || list.size() >= MOST_OF_ONE) {
      connection.abort();
    } else {
      list.addFirst(new Waiting(connection, ticker.nanos()));
      size++;
    }
  }

  /// Closes all, and from now on those that are given back.
  synchronized void close() {
    closed = true;
    waiting.values().forEach(list -> list.forEach(each -> each.connection().abort()));
    waiting.clear();
    size = 0;
  }
}
