package io.fairlead.proxy.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Y12: pause 1 s, retry 5 s, longest 10 s.
class CadenceTest {
  private final Cadence cadence =
      new Cadence(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(10));

  private static long millis(long count) {
    return Duration.ofMillis(count).toNanos();
  }

  private void run(long at, boolean succeeds) {
    cadence.begin();
    cadence.end(millis(at), succeeds);
  }

  @Test
  void nothingRunsBeforeTheFirstRequest() {
    assertThat(cadence.waitNanos(millis(0))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void requestsWithinThePauseAreOneRunAtItsEnd() {
    cadence.request();
    assertThat(cadence.waitNanos(millis(0))).isZero();
    run(0, true);
    cadence.request();
    assertThat(cadence.waitNanos(millis(500))).isEqualTo(millis(500));
    cadence.request();
    assertThat(cadence.waitNanos(millis(999))).isEqualTo(millis(1));
    assertThat(cadence.waitNanos(millis(1000))).isZero();
    run(1000, true);
    assertThat(cadence.waitNanos(millis(1000))).isEqualTo(millis(10_000));
  }

  @Test
  void aQuietTimeEndsWithARunThatNobodyAskedFor() {
    cadence.request();
    run(0, true);
    assertThat(cadence.waitNanos(millis(9_999))).isEqualTo(millis(1));
    assertThat(cadence.isPeriodic()).isTrue();
  }

  @Test
  void aFailureIsTriedAgainSoonerAndARequestComesFirst() {
    cadence.request();
    run(0, false);
    assertThat(cadence.waitNanos(millis(0))).isEqualTo(millis(5_000));
    cadence.request();
    assertThat(cadence.waitNanos(millis(0))).isEqualTo(millis(1_000));
  }
}
