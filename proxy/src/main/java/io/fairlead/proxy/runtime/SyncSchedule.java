package io.fairlead.proxy.runtime;

import java.time.Duration;

/// When a family's reconciler runs next, and how much it does then: events are folded into it, the
/// answer follows from it alone. Immutable and pure: times are parameters.
///
/// A request runs at once, but not before a pause after the last run has passed; requests meanwhile
/// count as one. Without requests a run comes after a longest time, and after a failure sooner.
///
/// @param pause nanoseconds from the end of a run to the next requested one
/// @param retry the same from the end of a failed run to the next
/// @param longest the same from the end of a run to the next that nothing asks for
/// @param requested a change waits to be written
/// @param drifted the kernel may hold other rules than were written
/// @param held nothing runs until the hold ends
/// @param ran there was a run, which ended at `ended`
/// @param failed that run did not succeed
record SyncSchedule(
    long pause,
    long retry,
    long longest,
    boolean requested,
    boolean drifted,
    boolean held,
    boolean ran,
    boolean failed,
    long ended) {

  /// What the reconciler does now.
  sealed interface Turn {
    /// Nothing for so many nanoseconds, unless an event comes.
    record Wait(long nanos) implements Turn {}

    /// Writes what has changed, or, when `whole`, reads the kernel back and repairs it.
    record Sync(boolean whole) implements Turn {}
  }

  /// Before the first event.
  static SyncSchedule of(Duration pause, Duration retry, Duration longest) {
    return new SyncSchedule(
        pause.toNanos(),
        Math.min(retry.toNanos(), longest.toNanos()),
        longest.toNanos(),
        false,
        false,
        false,
        false,
        false,
        0);
  }

  /// After a change that is to be written.
  SyncSchedule request() {
    return new SyncSchedule(pause, retry, longest, true, drifted, held, ran, failed, ended);
  }

  /// After a sign that the kernel holds other rules: the next run reads it back.
  SyncSchedule drift() {
    return new SyncSchedule(pause, retry, longest, true, true, held, ran, failed, ended);
  }

  /// After the beginning (true) or the end of a time in which nothing may run.
  SyncSchedule hold(boolean now) {
    return new SyncSchedule(pause, retry, longest, requested, drifted, now, ran, failed, ended);
  }

  /// With another longest time.
  SyncSchedule longest(Duration other) {
    return new SyncSchedule(
        pause, retry, other.toNanos(), requested, drifted, held, ran, failed, ended);
  }

  /// After the beginning of a run, which answers all requests so far.
  SyncSchedule begin() {
    return new SyncSchedule(pause, retry, longest, false, false, held, ran, failed, ended);
  }

  /// After the end of a run. One that was to repair and failed is still to do.
  SyncSchedule end(long now, boolean succeeded, boolean whole) {
    return new SyncSchedule(
        pause,
        retry,
        longest,
        requested,
        drifted || (whole && !succeeded),
        held,
        true,
        !succeeded,
        now);
  }

  Turn next(long now) {
    if (held) {
      return new Turn.Wait(Long.MAX_VALUE);
    }
    long wait = waitNanos(now);
    // A run that nothing asked for is there to notice drift.
    return wait > 0 ? new Turn.Wait(wait) : new Turn.Sync(drifted || !requested);
  }

  private long waitNanos(long now) {
    if (!ran) {
      return requested ? 0 : Long.MAX_VALUE;
    }
    long after = failed ? retry : longest;
    return ended + (requested ? Math.min(after, pause) : after) - now;
  }
}
