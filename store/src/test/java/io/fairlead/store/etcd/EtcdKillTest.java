package io.fairlead.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.CommitResult;
import io.fairlead.store.KeyChange;
import io.fairlead.store.RecordingWatchListener;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.Write;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills etcd under load. Each writer counts up its own key; a commit whose outcome is unknown is
/// settled by reading the key, as any user of the store must.
@Tag("system")
class EtcdKillTest {
  private static final int KILLS = Integer.getInteger("fairlead.etcd.kills", 6);
  private static final int WRITERS = 4;
  private static final int COMMITS_BETWEEN_KILLS = 100;

  @TempDir Path directory;
  private final Set<Long> acknowledged = new ConcurrentSkipListSet<>();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean done;

  @Test
  void nothingAcknowledgedIsLostAndTheWatchHasNoGapAndNoDouble() throws Exception {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (EtcdServer server = EtcdServer.start(directory);
        EtcdStore store = server.open();
        Watch watch = store.watch("/w/", 0, seen)) {
      List<Thread> writers = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        String key = "/w/" + w;
        writers.add(Thread.ofVirtual().start(() -> write(store, key)));
      }
      for (int kill = 0; kill < KILLS; kill++) {
        awaitAcknowledged(acknowledged.size() + COMMITS_BETWEEN_KILLS);
        server.kill();
        server.restart();
      }
      awaitAcknowledged(acknowledged.size() + COMMITS_BETWEEN_KILLS);
      done = true;
      for (Thread writer : writers) {
        writer.join();
      }
      watch.requestProgress();
      seen.awaitProgress(store.revision());
      assertThat(refused.get()).as("commits that met a dead etcd").isPositive();
      check(store, seen);
    }
  }

  private void check(EtcdStore store, RecordingWatchListener seen) {
    assertThat(seen.end).isNull();
    assertThat(seen.changes().stream().map(KeyChange::revision).toList())
        .isSorted()
        .doesNotHaveDuplicates()
        .containsAll(acknowledged);
    for (int w = 0; w < WRITERS; w++) {
      String key = "/w/" + w;
      List<Long> counts =
          seen.changes().stream()
              .filter(change -> change.key().equals(key))
              .map(change -> count(Objects.requireNonNull(change.current())))
              .toList();
      assertThat(counts)
          .as("every value of " + key + " in order")
          .isEqualTo(LongStream.rangeClosed(1, counts.size()).boxed().toList());
      assertThat(count(Objects.requireNonNull(store.get(key)))).isEqualTo(counts.size());
    }
  }

  private void awaitAcknowledged(int size) {
    long until = System.nanoTime() + 60_000_000_000L;
    while (acknowledged.size() < size) {
      assertThat(System.nanoTime()).as("writing goes on within a minute").isLessThan(until);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void write(EtcdStore store, String key) {
    while (!done) {
      try {
        StoreEntry current = store.get(key);
        long expected = current == null ? Write.ABSENT : current.modRevision();
        long count = current == null ? 1 : count(current) + 1;
        byte[] value = Long.toString(count).getBytes(StandardCharsets.US_ASCII);
        CommitResult outcome = store.commit(List.of(new Write.Put(key, value, expected)));
        // No other client writes this key, so a conflict is an own earlier commit that was not
        // lost.
        if (outcome instanceof CommitResult.Committed(long revision)) {
          acknowledged.add(revision);
        }
      } catch (StoreException _) {
        refused.incrementAndGet();
        LockSupport.parkNanos(10_000_000);
      }
    }
  }

  private static long count(StoreEntry entry) {
    return Long.parseLong(new String(entry.value(), StandardCharsets.US_ASCII));
  }
}
