package io.fairlead.client.informer;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.work.Backoff;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkQueueTest {
  private long nanos;
  private final WorkQueue<String> queue =
      new WorkQueue<>(() -> nanos, new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000)));

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void aBurstOfAddsIsOneRun() {
    queue.add("a");
    queue.add("b");
    queue.add("a");
    assertThat(queue.poll()).contains("a");
    assertThat(queue.poll()).contains("b");
    assertThat(queue.poll()).isEmpty();
  }

  @Test
  void anAddDuringARunMeansOneMoreRunAfterwards() {
    queue.add("a");
    assertThat(queue.poll()).contains("a");
    queue.add("a");
    queue.add("a");
    assertThat(queue.poll()).as("never two holders").isEmpty();
    queue.done("a");
    assertThat(queue.poll()).contains("a");
    queue.done("a");
    assertThat(queue.poll()).isEmpty();
    assertThat(queue.idle()).isTrue();
  }

  /// Works on a key that queues itself again, for so long as it is given out at once.
  private int spin(String key) {
    int runs = 0;
    for (Optional<String> next = queue.poll(); next.isPresent(); next = queue.poll()) {
      runs++;
      if (next.get().equals(key)) {
        queue.add(key);
      }
      queue.done(next.get());
    }
    return runs;
  }

  @Test
  void aKeyThatIsQueuedAgainAtOnceForEverIsHeldBackAndCounted() {
    queue.add("hot");
    assertThat(spin("hot")).isEqualTo(KeyRunRates.BURST);
    assertThat(queue.heldBack()).isEqualTo(1);
    queue.add("cold");
    assertThat(spin("hot")).as("others go on").isEqualTo(1);
    pass(Duration.ofSeconds(1));
    assertThat(spin("hot")).as("a second time it may do less").isEqualTo(KeyRunRates.SUSTAINED);
    pass(Duration.ofSeconds(1));
    assertThat(spin("hot")).isEqualTo(KeyRunRates.SUSTAINED);
    assertThat(queue.heldBack()).isEqualTo(3);
  }

  @Test
  void manyRealChangesAreNoHotKey() {
    for (int i = 0; i < 10 * KeyRunRates.BURST; i++) {
      queue.add("a");
      assertThat(queue.poll()).contains("a");
      queue.done("a");
      pass(Duration.ofMillis(10));
    }
    assertThat(queue.heldBack()).isZero();
  }

  @Test
  void ofSeveralWaitsTheEarliestCounts() {
    queue.addAfter("a", Duration.ofSeconds(5));
    queue.addAfter("a", Duration.ofSeconds(2));
    queue.addAfter("a", Duration.ofSeconds(9));
    assertThat(queue.sizeLater()).as("the others are not kept").isEqualTo(1);
    pass(Duration.ofMillis(1999));
    assertThat(queue.poll()).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(queue.poll()).contains("a");
    queue.done("a");
    pass(Duration.ofSeconds(20));
    assertThat(queue.poll()).as("the other waits are gone").isEmpty();
  }

  @Test
  void noWaitIsAnAdd() {
    queue.addAfter("a", Duration.ZERO);
    assertThat(queue.poll()).contains("a");
  }

  @Test
  void failuresDoubleTheWaitUntilForgotten() {
    long[] expected = {5, 10, 20, 40};
    for (long milliseconds : expected) {
      queue.add("a");
      queue.poll();
      queue.retry("a");
      queue.done("a");
      pass(Duration.ofMillis(milliseconds).minusNanos(1));
      assertThat(queue.poll()).isEmpty();
      pass(Duration.ofNanos(1));
      assertThat(queue.poll()).contains("a");
      queue.done("a");
    }
    assertThat(queue.failures("a")).isEqualTo(4);
    queue.forget("a");
    assertThat(queue.failures("a")).isZero();
  }

  @Test
  void theWaitHasALimit() {
    Backoff backoff = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));
    assertThat(backoff.after(17)).isEqualTo(Duration.ofMillis(655_360));
    assertThat(backoff.after(18)).isEqualTo(Duration.ofSeconds(1000));
    assertThat(backoff.after(100_000)).isEqualTo(Duration.ofSeconds(1000));
  }

  @Test
  void closingFreesTheWaitingWorker() throws Exception {
    CompletableFuture<Optional<String>> taking =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return queue.take();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    queue.close();
    assertThat(taking.get(60, TimeUnit.SECONDS)).isEmpty();
    queue.add("a");
    assertThat(queue.poll()).isEmpty();
  }

  /// Random operations against what must hold: one holder per key, and every add is followed by a
  /// take.
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void nothingIsLostAndNothingIsHeldTwice(long seed) {
    Random random = new Random(seed);
    Set<String> held = new HashSet<>();
    Map<String, Boolean> owed = new HashMap<>();
    for (int step = 0; step < 5000; step++) {
      String key = "k" + random.nextInt(5);
      switch (random.nextInt(5)) {
        case 0 -> {
          queue.add(key);
          owed.put(key, true);
        }
        case 1 -> {
          queue.addAfter(key, Duration.ofMillis(random.nextInt(50)));
          owed.put(key, true);
        }
        case 2 -> {
          Optional<String> taken = queue.poll();
          taken.ifPresent(
              k -> {
                assertThat(held.add(k)).as("held once").isTrue();
                owed.put(k, false);
              });
        }
        case 3 -> {
          if (held.remove(key)) {
            queue.done(key);
          }
        }
        default -> pass(Duration.ofMillis(random.nextInt(20)));
      }
    }
    held.forEach(queue::done);
    pass(Duration.ofSeconds(1));
    for (Optional<String> key = queue.poll(); key.isPresent(); key = queue.poll()) {
      owed.put(key.get(), false);
      queue.done(key.get());
    }
    // A wait that was merged into an earlier one is settled by that one's take.
    assertThat(owed.values().stream().filter(open -> open).count()).as("adds never taken").isZero();
  }
}
