package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.CommitResult;
import io.fairlead.store.KeyChange;
import io.fairlead.store.Range;
import io.fairlead.store.RangeResult;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StartRaceTest {
  private static final String OWN_SERVICE = "/registry/services/specs/default/kubernetes";

  @Test
  void aServerStartsThoughAnotherMakesTheSameObjectsAtTheSameTime() throws Exception {
    try (MemoryStore shared = new MemoryStore()) {
      AtomicBoolean otherRan = new AtomicBoolean();
      Store slow =
          new Delayed(
              shared,
              () -> {
                TestServer other = TestServer.start(shared, ApiServerConfig.Limits.DEFAULT);
                otherRan.set(other.server.isReady());
                other.server.close();
              });
      TestServer first = TestServer.start(slow, ApiServerConfig.Limits.DEFAULT);
      assertThat(otherRan).isTrue();
      assertThat(first.server.isReady()).isTrue();
      assertThat(first.get("/api/v1/namespaces/default/services/kubernetes").code()).isEqualTo(200);
      first.server.close();
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  /// Between the look for the server's own Service, which finds none, and the making of it, the
  /// action runs and everything it wrote reaches the server.
  private static final class Delayed implements Store {
    private final Store store;
    private final Action action;
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicLong delivered = new AtomicLong();

    Delayed(Store store, Action action) {
      this.store = store;
      this.action = action;
    }

    @Override
    public @Nullable StoreEntry get(String key) {
      StoreEntry found = store.get(key);
      if (key.equals(OWN_SERVICE) && found == null && done.compareAndSet(false, true)) {
        try {
          action.run();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
        long written = store.revision();
        await().atMost(Duration.ofSeconds(60)).until(() -> delivered.get() >= written);
      }
      return found;
    }

    @Override
    public Watch watch(String prefix, long afterRevision, WatchListener listener) {
      return store.watch(
          prefix,
          afterRevision,
          new WatchListener() {
            @Override
            public void onChanges(List<KeyChange> changes) {
              listener.onChanges(changes);
              delivered.accumulateAndGet(changes.getLast().revision(), Math::max);
            }

            @Override
            public void onProgress(long revision) {
              listener.onProgress(revision);
            }

            @Override
            public void onEnd(StoreException cause) {
              listener.onEnd(cause);
            }
          });
    }

    @Override
    public long revision() {
      return store.revision();
    }

    @Override
    public long compactedRevision() {
      return store.compactedRevision();
    }

    @Override
    public RangeResult range(Range range) {
      return store.range(range);
    }

    @Override
    public CommitResult commit(List<Write> writes) {
      return store.commit(writes);
    }

    @Override
    public void compact(long revision) {
      store.compact(revision);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
