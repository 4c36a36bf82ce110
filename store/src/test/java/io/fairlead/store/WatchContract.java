package io.fairlead.store;

import static io.fairlead.store.Write.ANY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What a watch of every engine must do; together with [StoreContract] this is the whole contract.
public abstract class WatchContract extends StoreContract {
  @Test
  void aWatchSeesChangesWithWhatStoodThereBefore() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (Watch _ = store.watch(at, store.revision(), seen)) {
      long r1 = put("a", "1");
      put("a", "2");
      long r3 = delete("a");
      put("a", "3");
      seen.awaitChanges(4);
      assertThat(seen.seen())
          .containsExactly(
              "put " + at + "a 1",
              "put " + at + "a 2 (was 1)",
              "delete " + at + "a (was 2)",
              "put " + at + "a 3");
      assertThat(seen.changes().getFirst().revision()).isEqualTo(r1);
      KeyChange removal = seen.changes().get(2);
      assertThat(removal.revision()).isEqualTo(r3);
      assertThat(Objects.requireNonNull(removal.previous()).createRevision()).isEqualTo(r1);
      assertThat(seen.overlapped).isFalse();
    }
  }

  @Test
  void aWatchFromThePastReplaysAndGoesOn() {
    put("a", "0");
    long from = store.revision();
    put("a", "1");
    put("b", "1");
    delete("b");
    RecordingWatchListener seen = new RecordingWatchListener();
    try (Watch _ = store.watch(at, from, seen)) {
      put("a", "2");
      seen.awaitChanges(4);
      assertThat(seen.seen())
          .containsExactly(
              "put " + at + "a 1 (was 0)",
              "put " + at + "b 1",
              "delete " + at + "b (was 1)",
              "put " + at + "a 2 (was 1)");
    }
  }

  @Test
  void changesOfOneCommitComeTogether() {
    RecordingWatchListener live = new RecordingWatchListener();
    RecordingWatchListener replayed = new RecordingWatchListener();
    long from = store.revision();
    try (Watch _ = store.watch(at, from, live)) {
      for (int i = 0; i < 20; i++) {
        commit(
            new Write.Put(at + "a", bytes("" + i), ANY),
            new Write.Put(at + "b", bytes("" + i), ANY),
            new Write.Put(at + "c", bytes("" + i), ANY));
      }
      live.awaitChanges(60);
    }
    try (Watch _ = store.watch(at, from, replayed)) {
      replayed.awaitChanges(60);
    }
    for (RecordingWatchListener seen : List.of(live, replayed)) {
      assertThat(seen.changes()).hasSize(60);
      for (List<KeyChange> call : seen.calls) {
        assertThat(call.size() % 3).isZero();
        assertThat(call.getFirst().revision()).isEqualTo(call.get(2).revision());
      }
    }
  }

  @Test
  void aWatchSeesOnlyItsPrefix() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (Watch _ = store.watch(at + "in/", store.revision(), seen)) {
      put("out/a", "1");
      commit(new Write.Put(at + "in/a", bytes("1"), ANY), new Write.Put(at + "x", bytes("1"), ANY));
      put("in", "1");
      put("in/b", "1");
      seen.awaitChanges(2);
      assertThat(seen.seen()).containsExactly("put " + at + "in/a 1", "put " + at + "in/b 1");
    }
  }

  @Test
  void progressCoversWhatWasCommittedBeforeItWasAsked() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (Watch watch = store.watch(at + "quiet/", store.revision(), seen)) {
      put("quiet/a", "1");
      long revision = put("loud", "1");
      watch.requestProgress();
      seen.awaitProgress(revision);
      assertThat(seen.seen()).containsExactly("put " + at + "quiet/a 1");
    }
  }

  @Test
  void progressIsNeverAheadOfWhatWasDelivered() throws Exception {
    List<Long> delivered = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    long from = store.revision();
    int commits = 200;
    WatchListener listener =
        new WatchListener() {
          @Override
          public void onChanges(List<KeyChange> changes) {
            changes.forEach(change -> delivered.add(change.revision()));
            if (delivered.size() >= commits) {
              done.countDown();
            }
          }

          @Override
          public void onProgress(long revision) {
            long last = delivered.isEmpty() ? from : delivered.getLast();
            // No other client writes here, so what is delivered is all there is up to that
            // revision.
            if (last < revision) {
              wrong.add("progress " + revision + " after " + last);
            }
          }

          @Override
          public void onEnd(StoreException cause) {
            wrong.add(cause.toString());
          }
        };
    try (Watch watch = store.watch(at, from, listener)) {
      for (int i = 0; i < commits; i++) {
        put("k" + i % 7, "" + i);
        watch.requestProgress();
      }
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(wrong).isEmpty();
    assertThat(delivered).hasSize(commits).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void aWatchFromCompactedHistoryIsRefused() {
    long first = put("a", "1");
    put("a", "2");
    long mark = put("a", "3");
    store.compact(mark);
    for (long from : new long[] {first, mark - 1}) {
      assertThat(endOf(from)).isInstanceOf(CompactedException.class);
    }
    RecordingWatchListener seen = new RecordingWatchListener();
    try (Watch _ = store.watch(at, mark, seen)) {
      put("a", "4");
      seen.awaitChanges(1);
      assertThat(seen.seen()).containsExactly("put " + at + "a 4 (was 3)");
    }
  }

  @Test
  void aWatchFromTheFutureWaits() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (Watch _ = store.watch(at, store.revision() + 2, seen)) {
      put("a", "1");
      put("a", "2");
      put("a", "3");
      seen.awaitChanges(1);
      assertThat(seen.seen()).containsExactly("put " + at + "a 3 (was 2)");
    }
  }

  @Test
  void anEndedWatchIsNotCalledAgain() {
    RecordingWatchListener seen = new RecordingWatchListener();
    Watch watch = store.watch(at, store.revision(), seen);
    put("a", "1");
    seen.awaitChanges(1);
    watch.close();
    watch.close();
    put("a", "2");
    RecordingWatchListener other = new RecordingWatchListener();
    try (Watch _ = store.watch(at, store.revision() - 1, other)) {
      other.awaitChanges(1);
    }
    assertThat(seen.changes()).hasSize(1);
    assertThat(seen.end).isNull();
  }

  @Test
  void closingTheStoreEndsItsWatches() throws Exception {
    RecordingWatchListener seen = new RecordingWatchListener();
    store.watch(at, store.revision(), seen);
    store.close();
    assertThat(seen.awaitEnd()).isNotInstanceOf(CompactedException.class);
  }

  @Test
  void aSlowListenerLosesNothingAndHoldsUpNobody() {
    int commits = 500;
    CountDownLatch gate = new CountDownLatch(1);
    RecordingWatchListener slow = new RecordingWatchListener();
    WatchListener gated =
        new WatchListener() {
          @Override
          public void onChanges(List<KeyChange> changes) {
            try {
              gate.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            slow.onChanges(changes);
          }

          @Override
          public void onProgress(long revision) {
            slow.onProgress(revision);
          }

          @Override
          public void onEnd(StoreException cause) {
            slow.onEnd(cause);
          }
        };
    RecordingWatchListener quick = new RecordingWatchListener();
    try (Watch _ = store.watch(at, store.revision(), gated);
        Watch _ = store.watch(at, store.revision(), quick)) {
      for (int i = 0; i < commits; i++) {
        put("k" + i % 3, "" + i);
      }
      quick.awaitChanges(commits);
      assertThat(slow.changes()).isEmpty();
      gate.countDown();
      slow.awaitChanges(commits);
      assertThat(slow.seen()).isEqualTo(quick.seen());
    }
  }

  @Test
  void manyWritersAndWatchersAgreeOnOneHistory() throws Exception {
    int writers = 8;
    int each = 40;
    List<RecordingWatchListener> recorders = new ArrayList<>();
    List<Watch> watches = new ArrayList<>();
    long from = store.revision();
    for (int i = 0; i < 3; i++) {
      RecordingWatchListener recorder = new RecordingWatchListener();
      recorders.add(recorder);
      watches.add(store.watch(at, from, recorder));
    }
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      int writer = w;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < each; i++) {
                      put("w" + writer, "" + i);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (RecordingWatchListener recorder : recorders) {
      recorder.awaitChanges(writers * each);
      assertThat(recorder.seen()).isEqualTo(recorders.getFirst().seen());
      List<Long> revisions = recorder.changes().stream().map(KeyChange::revision).toList();
      assertThat(revisions).hasSize(writers * each).isSorted().doesNotHaveDuplicates();
    }
    watches.forEach(Watch::close);
  }

  /// How a watch from there ends, be it at once or through its listener.
  private StoreException endOf(long from) {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (Watch _ = store.watch(at, from, seen)) {
      await().atMost(Duration.ofSeconds(20)).until(() -> seen.end != null);
      return seen.awaitEnd();
    } catch (StoreException e) {
      assertThatThrownBy(
              () -> {
                throw e;
              })
          .hasMessageContaining("compacted");
      return e;
    }
  }
}
