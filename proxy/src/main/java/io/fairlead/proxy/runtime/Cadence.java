package io.fairlead.proxy.runtime;

import java.time.Duration;

/// Says when to run next. A request runs at once, but not before a pause after the last run has
/// passed; requests meanwhile count as one. Without requests a run comes after a longest time, and
/// after a failure sooner. Pure: times are handed in. Not thread-safe.
public final class Cadence {
  private final long pause;
  private final long retry;
  private long longest;
  private long ended;
  private boolean ran;
  private boolean failed;
  private boolean requested;

  /// @param pause from the end of a run to the next requested one
  /// @param retry from the end of a failed run to the next
  /// @param longest from the end of a run to the next when nothing is asked for
  public Cadence(Duration pause, Duration retry, Duration longest) {
    this.pause = pause.toNanos();
    this.retry = Math.min(retry.toNanos(), longest.toNanos());
    this.longest = longest.toNanos();
  }

  /// Sets another longest time.
  public void longest(Duration other) {
    longest = other.toNanos();
  }

  /// Something is to be done.
  public void request() {
    requested = true;
  }

  /// A run begins: it answers all requests so far.
  public void begin() {
    requested = false;
  }

  /// A run has ended.
  public void end(long now, boolean succeeded) {
    ended = now;
    ran = true;
    failed = !succeeded;
  }

  /// How long to wait from now on; 0 or less: run.
  public long waitNanos(long now) {
    if (!ran) {
      return requested ? 0 : Long.MAX_VALUE;
    }
    long after = failed ? retry : longest;
    if (requested) {
      after = Math.min(after, pause);
    }
    return ended + after - now;
  }

  /// Whether the coming run was asked for by nobody: time alone brought it.
  public boolean isPeriodic() {
    return !requested;
  }
}
