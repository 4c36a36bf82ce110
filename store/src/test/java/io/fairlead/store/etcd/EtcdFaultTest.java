package io.fairlead.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.CommitResult;
import io.fairlead.store.CompactedException;
import io.fairlead.store.KeyChange;
import io.fairlead.store.Range;
import io.fairlead.store.RecordingWatchListener;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.Write;
import io.fairlead.work.LoopFaults;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens between servers that share an etcd, and when etcd goes away.
@Tag("system")
class EtcdFaultTest {
  @TempDir Path directory;
  private EtcdServer server;

  @BeforeEach
  void start() throws Exception {
    server = EtcdServer.start(directory);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void theFeedGoesOnAfterAFailedStep() throws Exception {
    RecordingWatchListener recorder = new RecordingWatchListener();
    try (EtcdStore store = server.open();
        Watch _ = store.watch("/fed/", 0, recorder)) {
      assertThat(put(store, "/fed/a", Write.ABSENT)).isPositive();
      recorder.awaitChanges(1);
      assertThat(LoopFaults.failOnce(WatchHubFeed.LOOP)).isEqualTo(1);
      server.restart();
      await()
          .ignoreExceptions()
          .atMost(Duration.ofSeconds(20))
          .until(() -> put(store, "/fed/b", Write.ANY) > 0);
      recorder.awaitChanges(2);
      assertThat(recorder.changes()).extracting(KeyChange::key).startsWith("/fed/a", "/fed/b");
    }
  }

  @Test
  void severalServersSeeOneHistory() throws Exception {
    List<EtcdStore> stores = new ArrayList<>();
    List<RecordingWatchListener> recorders = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      EtcdStore store = server.open();
      stores.add(store);
      RecordingWatchListener recorder = new RecordingWatchListener();
      recorders.add(recorder);
      store.watch("/shared/", 0, recorder);
    }
    AtomicInteger won = new AtomicInteger();
    List<Thread> writers = new ArrayList<>();
    for (EtcdStore store : stores) {
      writers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 50; i++) {
                      if (put(store, "/shared/k" + i, Write.ABSENT) > 0) {
                        won.incrementAndGet();
                      }
                    }
                  }));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(won).as("each key is created once").hasValue(50);
    for (RecordingWatchListener recorder : recorders) {
      recorder.awaitChanges(50);
      assertThat(recorder.seen()).isEqualTo(recorders.getFirst().seen()).hasSize(50);
    }
    for (EtcdStore store : stores) {
      assertThat(store.range(Range.all("/shared/")).entries()).hasSize(50);
      store.close();
    }
  }

  @Test
  void aWatchGoesOnAfterEtcdWasKilledWithoutGapOrDouble() throws Exception {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (EtcdStore store = server.open();
        Watch _ = store.watch("/w/", 0, seen)) {
      List<Long> acknowledged = new ArrayList<>();
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++) {
          acknowledged.add(put(store, "/w/" + i, Write.ANY));
        }
        server.kill();
        assertThatThrownBy(() -> put(store, "/w/refused", Write.ANY))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("does not answer");
        server.restart();
        await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> store.revision() > 0);
      }
      acknowledged.add(put(store, "/w/last", Write.ANY));
      seen.awaitChanges(acknowledged.size());
      assertThat(seen.changes().stream().map(KeyChange::revision).toList()).isEqualTo(acknowledged);
      assertThat(seen.end).isNull();
    }
  }

  @Test
  void aWatchThatMissedCompactedHistorySaysSo() throws Exception {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (EtcdStore store = server.open();
        Watch _ = store.watch("/w/", 0, seen)) {
      put(store, "/w/a", Write.ANY);
      seen.awaitChanges(1);
      server.kill();
      server.restart();
      // Another server writes and compacts before ours is connected again.
      try (EtcdStore other = server.open()) {
        long last = 0;
        for (int i = 0; i < 50; i++) {
          last = put(other, "/w/b", Write.ANY);
        }
        other.compact(last);
      }
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> seen.end != null || seen.changes().size() >= 51);
      if (seen.end != null) {
        assertThat(seen.end).isInstanceOf(CompactedException.class);
      }
      // Either way a new watch works.
      RecordingWatchListener again = new RecordingWatchListener();
      long from = store.revision();
      try (Watch _ = store.watch("/w/", from, again)) {
        put(store, "/w/c", Write.ANY);
        again.awaitChanges(1);
      }
    }
  }

  @Test
  void anEndpointThatDoesNotAnswerIsPassedOver() {
    EtcdOptions options =
        EtcdOptions.of(List.of("http://127.0.0.1:1", server.endpoint(), "http://127.0.0.1:2"));
    RecordingWatchListener seen = new RecordingWatchListener();
    try (EtcdStore store = EtcdStore.open(options);
        Watch _ = store.watch("/e/", 0, seen)) {
      assertThat(put(store, "/e/a", Write.ABSENT)).isPositive();
      seen.awaitChanges(1);
    }
  }

  @Test
  void nobodyThereIsAClearError() {
    assertThatThrownBy(() -> EtcdStore.open(EtcdOptions.of(List.of("http://127.0.0.1:1"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("http://127.0.0.1:1")
        .hasMessageContaining("Check that it runs");
    assertThatThrownBy(() -> EtcdOptions.of(List.of("127.0.0.1:1")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /// etcd sends at most a thousand revisions at a time, so that many and some come in steps.
  @Test
  void aReplayLongerThanOneBatchIsWhole() {
    try (EtcdStore store = server.open()) {
      int commits = 1100;
      try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < commits; i++) {
          byte[] value = bytes("" + i);
          writers.execute(
              () ->
                  store.commit(
                      List.of(
                          new Write.Put("/r/one", value, Write.ANY),
                          new Write.Put("/r/two", value, Write.ANY))));
        }
      }
      RecordingWatchListener seen = new RecordingWatchListener();
      try (Watch _ = store.watch("/r/", 0, seen)) {
        seen.awaitChanges(commits * 2);
        assertThat(seen.changes()).hasSize(commits * 2);
        assertThat(seen.calls).allMatch(call -> call.size() % 2 == 0);
        assertThat(seen.calls).as("in several steps").hasSizeGreaterThan(1);
      }
    }
  }

  @Test
  void onlyTheFirstOfTwoServersCompacts() {
    try (EtcdStore one = server.open();
        EtcdStore two = server.open()) {
      long first = put(one, "/c/a", Write.ANY);
      long second = put(one, "/c/a", Write.ANY);
      one.compact(second);
      long before = two.revision();
      two.compact(first);
      two.compact(second);
      assertThat(two.revision()).as("no second marker was written").isEqualTo(before);
      assertThat(two.compactedRevision()).isEqualTo(second);
      assertThat(one.compactedRevision()).isEqualTo(second);
    }
  }

  private static long put(Store store, String key, long expected) {
    CommitResult outcome = store.commit(List.of(new Write.Put(key, bytes("x"), expected)));
    return outcome instanceof CommitResult.Committed(long revision) ? revision : -1;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
