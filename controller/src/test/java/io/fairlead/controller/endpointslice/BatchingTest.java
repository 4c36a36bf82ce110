package io.fairlead.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.queue.WorkQueue;
import io.fairlead.client.time.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BatchingTest {
  private static final ObjectKey KEY = new ObjectKey("default", "svc");
  private final AtomicLong now = new AtomicLong();
  private final WorkQueue<ObjectKey> queue =
      new WorkQueue<>(now::get, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(9)));

  /// The moments, in milliseconds, at which a worker that is always ready gets the key.
  private List<Long> runs(Batching batching, long... changesAt) {
    Batching.Clock clock = new Batching.Clock(batching, now::get);
    List<Long> runs = new ArrayList<>();
    for (long time = 0; time <= 4000; time += 10) {
      now.set(Duration.ofMillis(time).toNanos());
      for (long change : changesAt) {
        if (change == time) {
          queue.addAfter(KEY, clock.wait(KEY));
        }
      }
      while (queue.poll().isPresent()) {
        runs.add(time);
        queue.done(KEY);
      }
    }
    return runs;
  }

  @Test
  void pk32TheOriginalsWindowDoesNotSlide() {
    assertThat(runs(new Batching.Delay(Duration.ofSeconds(1)), 0, 400, 900, 1500))
        .containsExactly(1000L, 2500L);
  }

  @Test
  void theFirstChangeIsLookedAtOnceAndThoseThatFollowAreMerged() {
    assertThat(runs(new Batching.LeadingEdge(Duration.ofMillis(250)), 0, 50, 100, 200, 1000))
        .containsExactly(0L, 250L, 1000L);
  }

  @Test
  void aSteadyStreamIsLookedAtOncePerWindow() {
    assertThat(
            runs(
                new Batching.LeadingEdge(Duration.ofMillis(250)),
                0,
                100,
                200,
                300,
                400,
                500,
                600,
                700))
        .containsExactly(0L, 250L, 500L, 750L);
  }

  @Test
  void aPeriodOfZeroNeverWaits() {
    assertThat(runs(Batching.of(Duration.ZERO), 0, 10, 20)).containsExactly(0L, 10L, 20L);
  }
}
