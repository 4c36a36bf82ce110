package io.fairlead.controller.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BurstRateLimiterTest {
  private final AtomicLong now = new AtomicLong();

  private BurstRateLimiter<String> bursts(Duration period) {
    return new BurstRateLimiter<>(period, now::get);
  }

  private void pass(long milliseconds) {
    now.addAndGet(Duration.ofMillis(milliseconds).toNanos());
  }

  @Test
  void theFirstEventWaitsForNothingAndTheNextForTheRest() {
    BurstRateLimiter<String> bursts = bursts(Duration.ofMillis(640));
    assertThat(bursts.delay("a")).isZero();
    bursts.ran("a");
    pass(4);
    assertThat(bursts.delay("a")).isEqualTo(Duration.ofMillis(6));
    assertThat(bursts.delay("b")).isZero();
    pass(6);
    assertThat(bursts.delay("a")).isZero();
  }

  @Test
  void restsGrowWhileEventsKeepComing() {
    BurstRateLimiter<String> bursts = bursts(Duration.ofMillis(640));
    List<Long> rests = new ArrayList<>();
    for (int run = 0; run < 9; run++) {
      bursts.ran("a");
      rests.add(bursts.delay("a").toMillis());
      pass(rests.getLast());
    }
    assertThat(rests).containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 640L, 640L, 640L);
  }

  @Test
  void aQuietTimeBeginsAnew() {
    BurstRateLimiter<String> bursts = bursts(Duration.ofMillis(640));
    for (int run = 0; run < 9; run++) {
      bursts.ran("a");
      pass(640);
    }
    pass(640);
    bursts.ran("a");
    assertThat(bursts.delay("a")).isEqualTo(Duration.ofMillis(10));
  }

  @Test
  void aPeriodOfZeroNeverDelays() {
    BurstRateLimiter<String> bursts = bursts(Duration.ZERO);
    bursts.ran("a");
    assertThat(bursts.delay("a")).isZero();
  }

  @Test
  void aForgottenKeyBeginsAnew() {
    BurstRateLimiter<String> bursts = bursts(Duration.ofMillis(640));
    bursts.ran("a");
    bursts.forget("a");
    assertThat(bursts.delay("a")).isZero();
  }
}
