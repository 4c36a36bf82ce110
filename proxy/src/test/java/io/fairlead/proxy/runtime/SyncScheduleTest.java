package io.fairlead.proxy.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.proxy.runtime.SyncSchedule.Turn;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Y12: pause 1 s, retry 5 s, longest 10 s.
class SyncScheduleTest {
  private static final SyncSchedule START =
      SyncSchedule.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(10));
  private static final Turn CHANGES = new Turn.Sync(false);
  private static final Turn EVERYTHING = new Turn.Sync(true);

  private static long millis(long count) {
    return Duration.ofMillis(count).toNanos();
  }

  private static Turn waiting(long count) {
    return new Turn.Wait(millis(count));
  }

  private static SyncSchedule run(SyncSchedule before, long at, boolean succeeds) {
    return before.begin().end(millis(at), succeeds, false);
  }

  @Test
  void nothingRunsBeforeTheFirstRequest() {
    assertThat(START.next(millis(0))).isEqualTo(new Turn.Wait(Long.MAX_VALUE));
  }

  @Test
  void requestsWithinThePauseAreOneRunAtItsEnd() {
    SyncSchedule first = START.request();
    assertThat(first.next(millis(0))).isEqualTo(CHANGES);
    SyncSchedule second = run(first, 0, true).request();
    assertThat(second.next(millis(500))).isEqualTo(waiting(500));
    SyncSchedule third = second.request();
    assertThat(third.next(millis(999))).isEqualTo(waiting(1));
    assertThat(third.next(millis(1000))).isEqualTo(CHANGES);
    assertThat(run(third, 1000, true).next(millis(1000))).isEqualTo(waiting(10_000));
  }

  @Test
  void aQuietTimeEndsWithARunThatReadsTheKernelBack() {
    SyncSchedule quiet = run(START.request(), 0, true);
    assertThat(quiet.next(millis(9_999))).isEqualTo(waiting(1));
    assertThat(quiet.next(millis(10_000))).isEqualTo(EVERYTHING);
  }

  @Test
  void aFailureIsTriedAgainSoonerAndARequestComesFirst() {
    SyncSchedule failed = run(START.request(), 0, false);
    assertThat(failed.next(millis(0))).isEqualTo(waiting(5_000));
    assertThat(failed.request().next(millis(0))).isEqualTo(waiting(1_000));
  }

  @Test
  void driftIsARequestToReadTheKernelBackUntilThatHasSucceeded() {
    SyncSchedule drifted = START.drift();
    assertThat(drifted.next(millis(0))).isEqualTo(EVERYTHING);
    SyncSchedule failed = drifted.begin().end(millis(0), false, true);
    assertThat(failed.request().next(millis(1_000))).isEqualTo(EVERYTHING);
    SyncSchedule repaired = failed.begin().end(millis(1_000), true, true);
    assertThat(repaired.request().next(millis(2_000))).isEqualTo(CHANGES);
  }

  @Test
  void aHoldKeepsWhatComesForLater() {
    SyncSchedule held = START.hold(true).request();
    assertThat(held.next(millis(0))).isEqualTo(new Turn.Wait(Long.MAX_VALUE));
    assertThat(held.hold(false).next(millis(0))).isEqualTo(CHANGES);
  }

  @Test
  void aChangeDuringARunIsNotLost() {
    SyncSchedule running = START.request().begin();
    assertThat(running.request().end(millis(0), true, false).next(millis(1_000)))
        .isEqualTo(CHANGES);
  }
}
