package io.fairlead.proxy.nodeapi;

import io.fairlead.api.status.ApiException;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Ten requests a second for each user, and no more. Safe for many threads; remembers no more users
/// than ask within a second, and never more than a thousand.
final class RequestRates {
  private static final int PER_SECOND = 10;
  private static final int MOST_USERS = 1000;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /// A second that has begun, and the requests in it.
  private record Window(long start, int requests) {}

  private final Ticker ticker;
  // Guarded by this.
  private final Map<String, Window> windows = new HashMap<>();

  RequestRates(Ticker ticker) {
    this.ticker = ticker;
  }

  /// Counts a request.
  ///
  /// @throws ApiException 429 when it is one too many
  synchronized void count(String user) {
    long now = ticker.nanos();
    if (windows.size() >= MOST_USERS) {
      windows.values().removeIf(window -> now - window.start() >= SECOND);
    }
    Window window = windows.get(user);
    if (window == null || now - window.start() >= SECOND) {
      if (windows.size() >= MOST_USERS) {
        throw tooMany();
      }
      windows.put(user, new Window(now, 1));
      return;
    }
    if (window.requests() >= PER_SECOND) {
      throw tooMany();
    }
    windows.put(user, new Window(window.start(), window.requests() + 1));
  }

  private static ApiException tooMany() {
    return ApiException.tooManyRequests(
        "the node API answers " + PER_SECOND + " requests a second for one user", 1);
  }
}
