package io.fairlead.store;

import static io.fairlead.store.Write.ABSENT;
import static io.fairlead.store.Write.ANY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.CommitResult.Committed;
import io.fairlead.store.CommitResult.Conflict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every engine must do. A subclass opens the engine; each test works under its own prefix, so
/// that an engine shared by all of them (etcd) serves as well.
public abstract class StoreContract {
  private static final AtomicLong PREFIXES = new AtomicLong();

  protected Store store;
  protected String at;

  protected abstract Store open() throws Exception;

  /// Lets `seconds` pass for the engine's times to live.
  protected abstract void pass(int seconds);

  @BeforeEach
  void openStore() throws Exception {
    store = open();
    at = "/contract-" + PREFIXES.incrementAndGet() + "/";
  }

  @AfterEach
  void closeStore() throws Exception {
    store.close();
  }

  @Test
  void freshStoreHasARevisionButNoEntries() {
    assertThat(store.revision()).isGreaterThanOrEqualTo(1);
    assertThat(store.get(at + "a")).isNull();
    assertThat(store.range(Range.all(at)).entries()).isEmpty();
  }

  @Test
  void aCommitTakesTheNextRevision() {
    long before = store.revision();
    long first = put("a", "1");
    long second = put("b", "2");
    assertThat(first).isEqualTo(before + 1);
    assertThat(second).isEqualTo(first + 1);
    assertThat(store.revision()).isEqualTo(second);
  }

  @Test
  void anEntryCarriesWhenItWasCreatedAndChanged() {
    long created = put("a", "1");
    long changed = put("a", "2");
    StoreEntry entry = found("a");
    assertThat(RecordingWatchListener.text(entry)).isEqualTo("2");
    assertThat(entry.key()).isEqualTo(at + "a");
    assertThat(entry.createRevision()).isEqualTo(created);
    assertThat(entry.modRevision()).isEqualTo(changed);
  }

  @Test
  void aKeyDeletedAndMadeAgainIsNew() {
    put("a", "1");
    delete("a");
    long again = put("a", "2");
    assertThat(found("a").createRevision()).isEqualTo(again);
  }

  @Test
  void createFailsWhenTheKeyExists() {
    long first = committed(new Write.Put(at + "a", bytes("1"), ABSENT));
    Conflict conflict = conflict(new Write.Put(at + "a", bytes("2"), ABSENT));
    assertThat(conflict.key()).isEqualTo(at + "a");
    StoreEntry current = Objects.requireNonNull(conflict.current());
    assertThat(current.modRevision()).isEqualTo(first);
    assertThat(RecordingWatchListener.text(current)).isEqualTo("1");
    assertThat(store.revision()).isEqualTo(first);
  }

  @Test
  void updateNeedsTheRevisionThatWasSeen() {
    long first = put("a", "1");
    long second = committed(new Write.Put(at + "a", bytes("2"), first));
    Conflict conflict = conflict(new Write.Put(at + "a", bytes("3"), first));
    assertThat(Objects.requireNonNull(conflict.current()).modRevision()).isEqualTo(second);
    assertThat(RecordingWatchListener.text(found("a"))).isEqualTo("2");
  }

  @Test
  void updateOfAMissingKeyIsAConflictWithNothing() {
    long first = put("a", "1");
    delete("a");
    assertThat(conflict(new Write.Put(at + "a", bytes("2"), first)).current()).isNull();
  }

  @Test
  void deleteNeedsTheRevisionThatWasSeen() {
    long first = put("a", "1");
    long second = put("a", "2");
    conflict(new Write.Delete(at + "a", first));
    long gone = committed(new Write.Delete(at + "a", second));
    assertThat(gone).isEqualTo(second + 1);
    assertThat(store.get(at + "a")).isNull();
  }

  @Test
  void deletingAMissingKeyTakesNoRevision() {
    long before = put("other", "1");
    assertThat(delete("a")).isEqualTo(before);
    assertThat(store.revision()).isEqualTo(before);
  }

  @Test
  void manyKeysShareOneRevision() {
    put("b", "old");
    long revision =
        committed(
            new Write.Put(at + "a", bytes("1"), ABSENT),
            new Write.Delete(at + "b", ANY),
            new Write.Put(at + "c", bytes("3"), ANY));
    assertThat(found("a").modRevision()).isEqualTo(revision);
    assertThat(found("c").modRevision()).isEqualTo(revision);
    assertThat(store.get(at + "b")).isNull();
    assertThat(store.revision()).isEqualTo(revision);
  }

  @Test
  void oneUnmetExpectationStopsAllWrites() {
    long seen = put("b", "old");
    put("b", "new");
    Conflict conflict =
        conflict(
            new Write.Put(at + "a", bytes("1"), ABSENT),
            new Write.Put(at + "b", bytes("2"), seen),
            new Write.Put(at + "c", bytes("3"), 4711));
    assertThat(conflict.key()).as("the first unmet one").isEqualTo(at + "b");
    assertThat(store.get(at + "a")).isNull();
    assertThat(RecordingWatchListener.text(found("b"))).isEqualTo("new");
  }

  @Test
  void aCheckGuardsWithoutWriting() {
    long guard = put("guard", "1");
    long revision =
        committed(
            new Write.Check(at + "guard", guard), new Write.Put(at + "a", bytes("1"), ABSENT));
    assertThat(found("guard").modRevision()).isEqualTo(guard);
    assertThat(found("a").modRevision()).isEqualTo(revision);
    put("guard", "2");
    conflict(new Write.Check(at + "guard", guard), new Write.Put(at + "b", bytes("1"), ABSENT));
    assertThat(store.get(at + "b")).isNull();
    assertThat(committed(new Write.Check(at + "missing", ABSENT))).isEqualTo(store.revision());
  }

  @Test
  void writingAKeyTwiceInOneCommitIsRefused() {
    assertThatThrownBy(
            () ->
                commit(
                    new Write.Put(at + "a", bytes("1"), ANY),
                    new Write.Put(at + "a", bytes("2"), ANY)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(at + "a");
    assertThatThrownBy(() -> commit(new Write.Put("", bytes("1"), ANY)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> commit(new Write.Put("half \ud800", bytes("1"), ANY)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rangeIsInBytewiseOrderAndEndsWithThePrefix() {
    String high = "\uffee";
    String beyond = "\ud83d\ude00"; // one code point above every character of two bytes
    for (String key : List.of("b", "a/x", "a", "a0", high, beyond, "Z")) {
      put(key, key);
    }
    commit(new Write.Put(at.substring(0, at.length() - 1) + "0", bytes("outside"), ANY));
    assertThat(keys(store.range(Range.all(at))))
        .containsExactly("Z", "a", "a/x", "a0", "b", high, beyond);
    assertThat(keys(store.range(Range.all(at + "a")))).containsExactly("a", "a/x", "a0");
    assertThat(keys(store.range(Range.all(at + "nothing")))).isEmpty();
  }

  @Test
  void pagesOfOneMomentAreNotDisturbedByLaterWrites() {
    for (int i = 0; i < 10; i++) {
      put("k" + i, "old");
    }
    RangeResult first = store.range(new Range(at, "", 4, 0));
    assertThat(keys(first)).containsExactly("k0", "k1", "k2", "k3");
    assertThat(first.remaining()).isEqualTo(6);
    delete("k5");
    put("k6", "new");
    put("k55", "new");
    RangeResult second = store.range(new Range(at, at + "k3", 4, first.revision()));
    assertThat(keys(second)).containsExactly("k4", "k5", "k6", "k7");
    assertThat(second.entries())
        .allMatch(entry -> RecordingWatchListener.text(entry).equals("old"));
    assertThat(second.remaining()).isEqualTo(2);
    assertThat(second.revision()).isEqualTo(first.revision());
    RangeResult third = store.range(new Range(at, at + "k7", 4, first.revision()));
    assertThat(keys(third)).containsExactly("k8", "k9");
    assertThat(third.remaining()).isZero();
    assertThat(keys(store.range(Range.all(at))))
        .containsExactly("k0", "k1", "k2", "k3", "k4", "k55", "k6", "k7", "k8", "k9");
  }

  @Test
  void everyRevisionSinceCompactionCanBeRead() {
    long r1 = put("a", "1");
    long r2 = put("a", "2");
    long r3 = delete("a");
    long r4 = put("a", "4");
    assertThat(textAt(r1 - 1)).isNull();
    assertThat(textAt(r1)).isEqualTo("1");
    assertThat(textAt(r2)).isEqualTo("2");
    assertThat(textAt(r3)).isNull();
    assertThat(textAt(r4)).isEqualTo("4");
  }

  @Test
  void readingAheadOfTheStoreFails() {
    long now = put("a", "1");
    assertThatThrownBy(() -> store.range(new Range(at, "", 0, now + 5)))
        .isInstanceOf(FutureRevisionException.class)
        .extracting(e -> ((FutureRevisionException) e).current())
        .isEqualTo(now);
    assertThatThrownBy(() -> store.compact(now + 5)).isInstanceOf(FutureRevisionException.class);
  }

  @Test
  void compactionForgetsHistoryAndKeepsWhatIsCurrent() {
    put("kept", "1");
    long old = put("a", "1");
    long mark = put("a", "2");
    long later = put("a", "3");
    store.compact(mark);
    assertThat(store.compactedRevision()).isEqualTo(mark);
    assertThatThrownBy(() -> store.range(new Range(at, "", 0, old)))
        .isInstanceOf(CompactedException.class)
        .satisfies(e -> assertThat(((CompactedException) e).compacted()).isEqualTo(mark));
    assertThat(textAt(mark)).as("the moment itself can be read").isEqualTo("2");
    assertThat(textAt(later)).isEqualTo("3");
    assertThat(keys(store.range(Range.all(at)))).containsExactly("a", "kept");
    store.compact(old);
    assertThat(store.compactedRevision()).as("never goes back").isEqualTo(mark);
  }

  @Test
  void compactionOfADeletedKeyLeavesNothing() {
    put("a", "1");
    long gone = delete("a");
    store.compact(gone);
    assertThat(textAt(gone)).isNull();
    long again = put("a", "2");
    assertThat(found("a").createRevision()).isEqualTo(again);
  }

  @Test
  void aTimeToLiveDeletesWithAnEvent() {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (Watch _ = store.watch(at, store.revision(), seen)) {
      commit(new Write.Put(at + "event", new Write.Value(bytes("1")), ABSENT, 2));
      commit(new Write.Put(at + "kept", new Write.Value(bytes("1")), ABSENT, 2));
      put("kept", "2");
      assertThat(store.get(at + "event")).isNotNull();
      pass(3);
      await().atMost(Duration.ofSeconds(20)).until(() -> store.get(at + "event") == null);
      seen.awaitChanges(4);
      assertThat(seen.seen())
          .containsExactly(
              "put " + at + "event 1",
              "put " + at + "kept 1",
              "put " + at + "kept 2 (was 1)",
              "delete " + at + "event (was 1)");
      assertThat(store.get(at + "kept")).as("rewritten without a time to live").isNotNull();
    }
  }

  @Test
  void largeAndEmptyValuesComeBackAsTheyWere() {
    byte[] large = new byte[1_200_000];
    Arrays.fill(large, (byte) 7);
    large[0] = 0;
    commit(
        new Write.Put(at + "large", large, ABSENT), new Write.Put(at + "empty", new byte[0], ANY));
    assertThat(found("large").value()).isEqualTo(large);
    assertThat(found("empty").value()).isEmpty();
    assertThat(store.range(Range.all(at)).entries()).hasSize(2);
  }

  @Test
  void closingTwiceIsFineAndUseAfterwardsIsRefused() throws Exception {
    put("a", "1");
    Store other = store;
    other.close();
    other.close();
    assertThatThrownBy(() -> other.get(at + "a")).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> commit(new Write.Put(at + "b", bytes("1"), ANY)))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> other.watch(at, 1, new RecordingWatchListener()))
        .isInstanceOf(StoreException.class);
  }

  protected long put(String name, String value) {
    return committed(new Write.Put(at + name, bytes(value), ANY));
  }

  protected long delete(String name) {
    return committed(new Write.Delete(at + name, ANY));
  }

  protected CommitResult commit(Write... writes) {
    return store.commit(List.of(writes));
  }

  protected long committed(Write... writes) {
    CommitResult outcome = commit(writes);
    assertThat(outcome).isInstanceOf(Committed.class);
    return ((Committed) outcome).revision();
  }

  protected Conflict conflict(Write... writes) {
    CommitResult outcome = commit(writes);
    assertThat(outcome).isInstanceOf(Conflict.class);
    return (Conflict) outcome;
  }

  protected StoreEntry found(String name) {
    StoreEntry entry = store.get(at + name);
    if (entry == null) {
      throw new AssertionError(name + " is missing");
    }
    return entry;
  }

  private @Nullable String textAt(long revision) {
    return store.range(new Range(at + "a", "", 0, revision)).entries().stream()
        .map(RecordingWatchListener::text)
        .findFirst()
        .orElse(null);
  }

  private List<String> keys(RangeResult page) {
    return page.entries().stream().map(entry -> entry.key().substring(at.length())).toList();
  }

  protected static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
