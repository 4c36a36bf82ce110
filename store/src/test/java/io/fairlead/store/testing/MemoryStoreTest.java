package io.fairlead.store.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.RecordingWatchListener;
import io.fairlead.store.Store;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchContract;
import io.fairlead.store.Write;
import io.fairlead.work.LoopFaults;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends WatchContract {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

  @Override
  protected Store open() {
    return new MemoryStore(nanos::get);
  }

  @Override
  protected void pass(int seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    ((MemoryStore) store).expireDue();
  }

  @Test
  void onTheSystemClockKeysEndByThemselves() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (MemoryStore own = new MemoryStore();
        Watch _ = own.watch("/", 1, seen)) {
      own.commit(List.of(new Write.Put("/a", new Write.Value(bytes("1")), Write.ANY, 1)));
      seen.awaitChanges(2);
      assertThat(seen.seen()).containsExactly("put /a 1", "delete /a (was 1)");
    }
  }

  @Test
  void expiryGoesOnAfterAFailedStep() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (MemoryStore own = new MemoryStore();
        Watch _ = own.watch("/", 1, seen)) {
      assertThat(LoopFaults.failOnce("memory-store-expiry")).isPositive();
      own.commit(List.of(new Write.Put("/a", new Write.Value(bytes("1")), Write.ANY, 1)));
      seen.awaitChanges(2);
      assertThat(seen.seen()).containsExactly("put /a 1", "delete /a (was 1)");
    }
  }
}
