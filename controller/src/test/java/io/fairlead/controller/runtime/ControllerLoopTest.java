package io.fairlead.controller.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.client.informer.WorkQueue;
import io.fairlead.work.Backoff;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ControllerLoopTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final WorkQueue<String> queue =
      new WorkQueue<>(Ticker.system(), new Backoff(Duration.ofMillis(1), Duration.ofMillis(10)));
  private final Set<String> reconciled = ConcurrentHashMap.newKeySet();

  static Stream<Throwable> failures() {
    return Stream.of(new IllegalStateException("unexpected"), new StackOverflowError());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aKeyThatFailsComesBackAndTheOthersGoOn(Throwable failure) {
    Set<String> failed = ConcurrentHashMap.newKeySet();
    try (ControllerLoop<String> loop =
        new ControllerLoop<>(
            "test",
            queue,
            key -> {
              if (key.equals("bad") && failed.add(key)) {
                ControllerLoopTest.<RuntimeException>raise(failure);
              }
              reconciled.add(key);
              return Reconciler.DONE;
            },
            List.of())) {
      loop.start(1);
      queue.add("bad");
      queue.add("good");
      await().atMost(LIMIT).until(() -> reconciled.equals(Set.of("bad", "good")));
      await().atMost(LIMIT).until(() -> loop.statistics().failures() == 1);
    }
  }

  @Test
  void aWorkerThatFailsBetweenKeysGoesOn() {
    try (ControllerLoop<String> loop =
        new ControllerLoop<>(
            "test",
            queue,
            key -> {
              reconciled.add(key);
              return Reconciler.DONE;
            },
            List.of())) {
      loop.start(2);
      queue.add("first");
      await().atMost(LIMIT).until(() -> reconciled.contains("first"));
      assertThat(LoopFaults.failOnce("controller-worker")).isEqualTo(2);
      queue.add("second");
      await().atMost(LIMIT).until(() -> reconciled.contains("second"));
    }
  }

  @SuppressWarnings("unchecked") // any failure goes through, as it does from a real reconciler
  private static <E extends Throwable> void raise(Throwable failure) throws E {
    throw (E) failure;
  }
}
