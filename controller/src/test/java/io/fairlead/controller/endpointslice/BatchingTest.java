package io.fairlead.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BatchingTest {
  private static final ObjectKey KEY = new ObjectKey("default", "svc");
  private static final Batching EDGE = new Batching.LeadingEdge(Duration.ofMillis(640));
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
        clock.ran(KEY);
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
    assertThat(runs(EDGE, 0, 10, 20, 30, 40, 50, 60, 2000))
        .containsExactly(0L, 10L, 30L, 70L, 2000L);
  }

  @Test
  void theStepsOfOnePodsStartDoNotWaitForEachOther() {
    assertThat(runs(EDGE, 0, 30, 80)).containsExactly(0L, 30L, 80L);
  }

  @Test
  void aSteadyStreamIsLookedAtOncePerWindow() {
    long[] stream = LongStream.range(0, 300).map(i -> i * 10).toArray();
    assertThat(runs(EDGE, stream))
        .containsExactly(0L, 10L, 30L, 70L, 150L, 310L, 630L, 1270L, 1910L, 2550L, 3190L);
  }

  @Test
  void aPeriodOfZeroNeverWaits() {
    assertThat(runs(Batching.of(Duration.ZERO), 0, 10, 20)).containsExactly(0L, 10L, 20L);
  }
}
