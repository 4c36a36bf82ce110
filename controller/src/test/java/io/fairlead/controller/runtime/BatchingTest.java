package io.fairlead.controller.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BatchingTest {
  private final AtomicLong now = new AtomicLong();

  private Batching<String> batching(Duration period) {
    return new Batching<>(period, now::get);
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void theFirstEventWaitsForNothingAndTheNextForTheRestOfThePeriod() {
    Batching<String> batching = batching(Duration.ofMillis(250));
    assertThat(batching.delay("a")).isZero();
    batching.ran("a");
    pass(Duration.ofMillis(100));
    assertThat(batching.delay("a")).isEqualTo(Duration.ofMillis(150));
    assertThat(batching.delay("b")).isZero();
    pass(Duration.ofMillis(150));
    assertThat(batching.delay("a")).isZero();
  }

  @Test
  void aPeriodOfZeroNeverDelays() {
    Batching<String> batching = batching(Duration.ZERO);
    batching.ran("a");
    assertThat(batching.delay("a")).isZero();
  }

  @Test
  void aForgottenKeyBeginsAnew() {
    Batching<String> batching = batching(Duration.ofMillis(250));
    batching.ran("a");
    batching.forget("a");
    assertThat(batching.delay("a")).isZero();
  }
}
