package io.fairlead.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.CommitResult;
import io.fairlead.store.RecordingWatchListener;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.Write;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A loop of the store whose step fails goes on, and no caller waits for ever.
class WriterFaultTest {
  @TempDir Path directory;
  private final AtomicLong nanos = new AtomicLong(1);
  private final AtomicBoolean clockFails = new AtomicBoolean();

  private long clock() {
    if (clockFails.compareAndSet(true, false)) {
      throw new IllegalStateException("the clock stopped");
    }
    return nanos.get();
  }

  private EmbeddedStore open() {
    return EmbeddedStore.open(directory, this::clock);
  }

  @Test
  void aStepThatFailsFailsItsCommitsAndTheNextGroupIsWritten() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (EmbeddedStore store = open();
        Watch _ = store.watch("/", 0, seen)) {
      put(store, "/a", 0);
      // The loop waits for requests; the next reading of the clock is after the sync.
      awaitIdle();
      clockFails.set(true);
      assertThatThrownBy(() -> put(store, "/b", 60))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.outcomeUnknown()).isTrue());
      long after = put(store, "/c", 0);
      assertThat(after).as("the durable commit keeps its revision").isEqualTo(store.revision());
      assertThat(store.get("/b")).as("what is durable is visible").isNotNull();
      seen.awaitChanges(3);
      assertThat(seen.seen()).containsExactly("put /a 1", "put /b 1", "put /c 1");
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
      store.wake();
      seen.awaitChanges(4);
      assertThat(seen.seen()).as("its time to live holds").last().isEqualTo("delete /b (was 1)");
      assertThat(store.status().trouble()).isNull();
    }
    try (EmbeddedStore again = open()) {
      assertThat(again.get("/c")).isNotNull();
      assertThat(again.get("/b")).isNull();
    }
  }

  @Test
  void anInterruptedCloserStillWaitsForQueuedCommits() {
    EmbeddedStore store = open();
    put(store, "/a", 0);
    Thread.currentThread().interrupt();
    store.close();
    assertThat(Thread.interrupted()).isTrue();
    try (EmbeddedStore again = open()) {
      assertThat(again.get("/a")).isNotNull();
    }
  }

  @Test
  void everyLoopGoesOnAfterAnInjectedFault() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (EmbeddedStore store = open();
        Watch _ = store.watch("/", 0, seen)) {
      for (String kind : List.of("store-writer", "store-checkpoint", "store-watch")) {
        assertThat(LoopFaults.failOnce(kind)).as(kind).isEqualTo(1);
      }
      byte[] large = new byte[1 << 20];
      for (int i = 0; i < 12; i++) {
        store.commit(List.of(new Write.Put("/large" + i, large, Write.ANY)));
      }
      seen.awaitChanges(12);
      for (String kind : List.of("store-writer", "store-watch")) {
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(() -> assertThat(restarts(kind)).as(kind).isPositive());
      }
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(store.status().logBytes()).isLessThan(64L << 20));
      put(store, "/after", 0);
      seen.awaitChanges(13);
    }
  }

  private static long restarts(String kind) {
    return LoopRegistry.statuses().stream()
        .filter(each -> each.kind().equals(kind))
        .mapToLong(each -> each.restarts())
        .sum();
  }

  private static void awaitIdle() {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(
                        each ->
                            each.getName().equals("store-writer")
                                && each.getState() == Thread.State.TIMED_WAITING));
  }

  private static long put(EmbeddedStore store, String key, long ttlSeconds) {
    Write.Value value = new Write.Value("1".getBytes(StandardCharsets.UTF_8));
    return ((CommitResult.Committed)
            store.commit(List.of(new Write.Put(key, value, Write.ANY, ttlSeconds))))
        .revision();
  }
}
