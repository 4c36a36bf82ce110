package io.fairlead.bench.store;

import io.fairlead.store.Outcome;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import io.fairlead.store.Write;
import io.fairlead.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The project's own engine.
final class EmbeddedContestant implements Contestant {
  private @Nullable Store store;

  @Override
  public String name() {
    return "embedded";
  }

  @Override
  public void start(Path directory) {
    store = EmbeddedStore.open(directory);
  }

  @Override
  public void write(String key, byte[] value) {
    Outcome outcome = store().commit(List.of(new Write.Put(key, value, Write.ABSENT)));
    if (!(outcome instanceof Outcome.Committed)) {
      throw new IllegalStateException(key + ": " + outcome);
    }
  }

  @Override
  public long count() {
    return store().range(Range.all("/")).entries().size();
  }

  private Store store() {
    if (store == null) {
      throw new IllegalStateException("not started");
    }
    return store;
  }

  @Override
  public void close() {
    store().close();
    store = null;
  }
}
