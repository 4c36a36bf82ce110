package io.fairlead.store.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.Recorder;
import io.fairlead.store.Store;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchContract;
import io.fairlead.store.Write;
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
    Recorder seen = new Recorder();
    try (MemoryStore own = new MemoryStore();
        Watch _ = own.watch("/", 1, seen)) {
      own.commit(List.of(new Write.Put("/a", new Write.Value(bytes("1")), Write.ANY, 1)));
      seen.awaitChanges(2);
      assertThat(seen.seen()).containsExactly("put /a 1", "delete /a (was 1)");
    }
  }
}
