package io.fairlead.ui.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/// Which addresses have guessed too often: after five wrong logins within a minute an address may
/// not log in for a minute. Remembers a bounded number of addresses. Safe for all threads.
public final class WrongLogins {
  private static final int MOST_WRONG = 5;
  private static final Duration SPAN = Duration.ofMinutes(1);

  private static final int MOST_ADDRESSES = 1024;

  private final InstantSource clock;
  // The address that was wrong the longest ago first. Guarded by this.
  private final Map<String, Deque<Instant>> wrong = new LinkedHashMap<>(16, 0.75f, true);

  public WrongLogins(InstantSource clock) {
    this.clock = clock;
  }

  /// Whether that address has to wait.
  public synchronized boolean isClosed(String address) {
    Deque<Instant> times = wrong.get(address);
    return times != null
        && times.size() >= MOST_WRONG
        && clock.instant().isBefore(times.getLast().plus(SPAN));
  }

  /// Notes a wrong login.
  public synchronized void count(String address) {
    Instant now = clock.instant();
    Deque<Instant> times = wrong.computeIfAbsent(address, _ -> new ArrayDeque<>());
    times.removeIf(each -> !now.isBefore(each.plus(SPAN)));
    times.add(now);
    if (wrong.size() > MOST_ADDRESSES) {
      wrong.remove(wrong.keySet().iterator().next());
    }
  }
}
