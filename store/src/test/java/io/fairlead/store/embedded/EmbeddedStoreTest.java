package io.fairlead.store.embedded;

import io.fairlead.store.Store;
import io.fairlead.store.WatchContract;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoreTest extends WatchContract {
  @TempDir Path directory;
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

  @Override
  protected Store open() {
    return EmbeddedStore.open(directory, nanos::get);
  }

  @Override
  protected void pass(int seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    ((EmbeddedStore) store).wake();
  }
}
