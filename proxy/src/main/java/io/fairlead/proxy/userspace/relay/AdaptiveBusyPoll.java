package io.fairlead.proxy.userspace.relay;

import io.fairlead.kernel.syscall.Epoll;
import io.fairlead.work.Ticker;

/// How a loop waits for events: it looks a while before it goes to sleep, when that has paid
/// lately. Owned by the loop's thread.
///
/// How it works: to sleep and be woken costs more than a short connection's whole step, most of all
/// in a virtual machine, whose processor is handed back meanwhile. An answer of a near endpoint
/// comes sooner than that. So after a sleep that was short the loop looks for events for a moment
/// before the next one, and after each that was long for a shorter one, soon for none. A loop with
/// nothing to do sleeps; a busy one gives a little processor time for latency.
final class AdaptiveBusyPoll {
  private static final int SHORTER = 4;
  private static final int SHORTEST = 4_000;

  private final Epoll queue;
  private final Ticker ticker;
  private final long most;
  private long looks;

  /// @param most for how many nanoseconds it looks at most; 0 to sleep at once, always
  AdaptiveBusyPoll(Epoll queue, Ticker ticker, long most) {
    this.queue = queue;
    this.ticker = ticker;
    this.most = most;
  }

  /// Waits for events like {@link Epoll#await}.
  ///
  /// @param milliseconds -1 for as long as it takes, 0 for not at all
  int await(int milliseconds) {
    if (milliseconds == 0 || most == 0) {
      return queue.await(milliseconds);
    }
    long start = ticker.nanos();
    while (looks > 0 && ticker.nanos() - start < looks) {
      int found = queue.await(0);
      if (found > 0) {
        return found;
      }
      // Other threads that want this processor come first.
      Thread.yield();
    }
    int found = queue.await(milliseconds);
    looks = next(looks, most, ticker.nanos() - start);
    return found;
  }

  /// How long to look before the next sleep.
  ///
  /// @param took how long looking and sleeping took this time
  static long next(long looks, long most, long took) {
    if (took < 2 * most) {
      return most;
    }
    return looks < SHORTEST ? 0 : looks / SHORTER;
  }
}
