package io.fairlead.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.embedded.EmbeddedStore;
import io.fairlead.store.testing.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Random operations against an engine and against a model so plain that it can be read at a
/// glance: a copy of all keys for every revision. A failure names its seed.
class ModelTest {
  private static final int STEPS = Integer.getInteger("fairlead.steps", 400);

  @TempDir Path base;

  /// What a key holds in the model.
  private record Held(String value, long created, long modified) {}

  @TestFactory
  Stream<DynamicTest> enginesAgreeWithTheModel() {
    List<DynamicTest> tests = new ArrayList<>();
    for (long seed = 1; seed <= 3; seed++) {
      long each = seed;
      tests.add(
          DynamicTest.dynamicTest(
              "memory, seed " + each, () -> new Run(each, MemoryStore::new, false).go()));
      Path directory = base.resolve("store" + each);
      tests.add(
          DynamicTest.dynamicTest(
              "embedded, seed " + each,
              () -> new Run(each, () -> EmbeddedStore.open(directory), true).go()));
    }
    return tests.stream();
  }

  /// Opens the engine, again and again where it keeps its state.
  private interface Opening {
    Store open();
  }

  private static final class Run {
    private final Random random;
    private final Opening opening;
    private final boolean durable;
    private final String name;
    private final TreeMap<Long, Map<String, Held>> moments = new TreeMap<>();
    private Store store;
    private RecordingWatchListener seen = new RecordingWatchListener();
    private long watchedFrom;
    private long compacted;

    Run(long seed, Opening opening, boolean durable) {
      this.random = new Random(seed);
      this.opening = opening;
      this.durable = durable;
      this.name = "seed " + seed + ", step ";
      this.store = opening.open();
      moments.put(store.revision(), Map.of());
      watch(store.revision());
    }

    void go() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(20)) {
          case 0 -> compact();
          case 1 -> reopen(name + step);
          default -> commit(name + step);
        }
        check(name + step);
      }
      checkWatch(name + "last");
      store.close();
    }

    private void watch(long from) {
      watchedFrom = from;
      seen = new RecordingWatchListener();
      store.watch("/", from, seen);
    }

    private void reopen(String when) {
      checkWatch(when);
      if (durable) {
        store.close();
        store = opening.open();
      }
      List<Long> known = List.copyOf(moments.tailMap(compacted, true).keySet());
      watch(known.get(random.nextInt(known.size())));
    }

    private void compact() {
      long upTo = Math.max(1, moments.lastKey() - random.nextInt(20));
      store.compact(upTo);
      compacted = Math.max(compacted, upTo);
    }

    private void commit(String when) {
      Map<String, Held> now = moments.lastEntry().getValue();
      long next = moments.lastKey() + 1;
      Map<String, Held> then = new TreeMap<>(now);
      List<Write> writes = new ArrayList<>();
      boolean holds = true;
      List<String> keys = new ArrayList<>(List.of("/a", "/b", "/c/1", "/c/2", "/d"));
      Collections.shuffle(keys, random);
      for (String key : keys.subList(0, 1 + random.nextInt(3))) {
        Held held = now.get(key);
        long is = held == null ? 0 : held.modified();
        long expected = List.of(-1L, is, is, 0L, 3L).get(random.nextInt(5));
        holds &= expected == -1 || expected == is;
        switch (random.nextInt(4)) {
          case 0 -> {
            writes.add(new Write.Delete(key, expected));
            then.remove(key);
          }
          case 1 -> writes.add(new Write.Check(key, expected));
          default -> {
            String value = "v" + random.nextInt(1000);
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            writes.add(new Write.Put(key, bytes, expected));
            then.put(key, new Held(value, held == null ? next : held.created(), next));
          }
        }
      }
      CommitResult outcome = store.commit(writes);
      if (!holds) {
        assertThat(outcome).as(when).isInstanceOf(CommitResult.Conflict.class);
      } else if (then.equals(now)) {
        assertThat(outcome).as(when).isEqualTo(new CommitResult.Committed(next - 1));
      } else {
        assertThat(outcome).as(when).isEqualTo(new CommitResult.Committed(next));
        moments.put(next, then);
      }
    }

    private void check(String when) {
      assertThat(store.revision()).as(when).isEqualTo(moments.lastKey());
      long low = Math.max(1, compacted);
      long at = low + random.nextLong(moments.lastKey() - low + 1);
      RangeResult page = store.range(new Range("/", "", 0, at));
      Map<String, Held> found = new TreeMap<>();
      for (StoreEntry entry : page.entries()) {
        found.put(
            entry.key(),
            new Held(
                RecordingWatchListener.text(entry), entry.createRevision(), entry.modRevision()));
      }
      assertThat(found).as(when + ", read at " + at).isEqualTo(moments.get(at));
    }

    /// The changes a watch has seen turn the moment it began with into the present.
    private void checkWatch(String when) {
      Map<String, Held> state = new TreeMap<>(moments.getOrDefault(watchedFrom, Map.of()));
      int expected = 0;
      Map<String, Held> before = state;
      for (Map<String, Held> moment : moments.tailMap(watchedFrom, false).values()) {
        expected += differences(before, moment);
        before = moment;
      }
      int all = expected;
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> seen.end != null || seen.changes().size() >= all);
      if (seen.end == null) {
        assertThat(seen.changes()).as(when).hasSize(expected);
        for (KeyChange change : seen.changes()) {
          StoreEntry current = change.current();
          StoreEntry previous = change.previous();
          Held was = state.get(change.key());
          assertThat(previous == null ? null : RecordingWatchListener.text(previous))
              .as(when + ", previous of " + change)
              .isEqualTo(was == null ? null : was.value());
          if (current == null) {
            state.remove(change.key());
          } else {
            state.put(
                change.key(),
                new Held(
                    RecordingWatchListener.text(current),
                    current.createRevision(),
                    current.modRevision()));
          }
        }
        assertThat(state).as(when).isEqualTo(moments.lastEntry().getValue());
      } else {
        assertThat(seen.end).as(when).isInstanceOf(CompactedException.class);
      }
    }

    private static int differences(Map<String, Held> before, Map<String, Held> after) {
      int count = 0;
      for (String key : after.keySet()) {
        count += after.get(key).equals(before.get(key)) ? 0 : 1;
      }
      for (String key : before.keySet()) {
        count += after.containsKey(key) ? 0 : 1;
      }
      return count;
    }
  }
}
