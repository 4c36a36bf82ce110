package io.fairlead.server.cache;

import static io.fairlead.server.cache.CacheFixture.poll;
import static io.fairlead.server.cache.CacheFixture.take;
import static io.fairlead.server.cache.CacheFixture.where;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WatchTest {
  private final CacheFixture fixture = new CacheFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void changesAfterTheRevisionComeOnceAndInOrder() throws InterruptedException {
    long start = fixture.put("one", "a", "web", "red");
    try (CacheWatcher watcher = fixture.watch("", "", "", start)) {
      long added = fixture.put("one", "b", "web", "red");
      long changed = fixture.put("one", "b", "web", "blue");
      long deleted = fixture.delete("one", "b");
      assertThat(take(watcher, 3))
          .containsExactly("ADDED b@" + added, "MODIFIED b@" + changed, "DELETED b@" + deleted);
      assertThat(poll(watcher)).isNull();
    }
  }

  @Test
  void deletedCarriesTheLastContent() throws InterruptedException {
    long start = fixture.put("one", "a", "web", "red");
    try (CacheWatcher watcher = fixture.watch("", "", "", start)) {
      long deleted = fixture.delete("one", "a");
      WatchEvent event = Objects.requireNonNull(watcher.next(Duration.ofSeconds(5)));
      String line = new String(event.line(), UTF_8);
      assertThat(line).endsWith("}\n");
      assertThat(Json.parse(event.line()).path("object").path("spec").path("color").asString())
          .isEqualTo("red");
      assertThat(line).contains("\"resourceVersion\":\"" + deleted + "\"");
    }
  }

  @Test
  void leavingASelectionIsDeletedAndEnteringIsAdded() throws InterruptedException {
    long start = fixture.put("one", "a", "web", "red");
    try (CacheWatcher watcher = fixture.watch("", "app=web", "", start)) {
      long left = fixture.put("one", "a", "db", "red");
      fixture.put("one", "a", "db", "blue");
      long entered = fixture.put("one", "a", "web", "blue");
      assertThat(take(watcher, 2)).containsExactly("DELETED a@" + left, "ADDED a@" + entered);
    }
  }

  @Test
  void watchersSeeOnlyTheirNamespaceAndName() throws InterruptedException {
    long start = fixture.put("one", "a", "web", "red");
    try (CacheWatcher two = fixture.watch("two", "", "", start);
        CacheWatcher named = fixture.watch("one", "", "metadata.name=x", start)) {
      fixture.put("one", "b", "web", "red");
      long inTwo = fixture.put("two", "b", "web", "red");
      long x = fixture.put("one", "x", "web", "red");
      assertThat(take(two, 1)).containsExactly("ADDED b@" + inTwo);
      assertThat(take(named, 1)).containsExactly("ADDED x@" + x);
      assertThat(poll(two)).isNull();
      assertThat(poll(named)).isNull();
    }
    assertThat(fixture.things().watcherCount()).isZero();
  }

  @Test
  void withoutRevisionTheStateComesFirst() throws InterruptedException {
    long a = fixture.put("one", "a", "web", "red");
    WatchQuery query = new WatchQuery(where("", "", ""), "", "", null, false);
    try (CacheWatcher watcher = fixture.things().watch(query)) {
      long b = fixture.put("one", "b", "web", "red");
      assertThat(take(watcher, 2)).containsExactly("ADDED a@" + a, "ADDED b@" + b);
    }
  }

  @Test
  void initialEventsEndWithTheAnnotatedBookmark() throws InterruptedException {
    fixture.put("one", "a", "web", "red");
    long b = fixture.put("one", "b", "web", "red");
    WatchQuery query = new WatchQuery(where("", "", ""), "", "NotOlderThan", true, true);
    try (CacheWatcher watcher = fixture.things().watch(query)) {
      take(watcher, 2);
      WatchEvent end = Objects.requireNonNull(watcher.next(Duration.ofSeconds(5)));
      assertThat(end.isInitialEventsEnd()).isTrue();
      assertThat(end.revision()).isEqualTo(b);
    }
  }

  @Test
  void wakingEndsAWaitAndLosesNoEvent() throws InterruptedException {
    WatchQuery query = new WatchQuery(where("", "", ""), "", "", null, false);
    try (CacheWatcher watcher = fixture.things().watch(query)) {
      watcher.wake();
      assertThat(watcher.next()).isNull();
      long a = fixture.put("one", "a", "web", "red");
      assertThat(Objects.requireNonNull(watcher.next()).revision()).isEqualTo(a);
    }
  }

  @Test
  void initialEventsRequireTheMatch() {
    WatchQuery query = new WatchQuery(where("", "", ""), "", "", true, true);
    assertThatThrownBy(() -> fixture.things().watch(query))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining(
            "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }

  @Test
  void bookmarkIsNeverAheadOfWhatWaits() throws InterruptedException {
    long start = fixture.put("one", "a", "web", "red");
    try (CacheWatcher watcher = fixture.watch("", "", "", start)) {
      long b = fixture.put("one", "b", "web", "red");
      fixture.caches.awaitRevision(b, Caches.FRESHNESS);
      assertThat(watcher.bookmark()).isNull();
      take(watcher, 1);
      assertThat(Objects.requireNonNull(watcher.bookmark()).revision()).isEqualTo(b);
    }
  }

  @Test
  void slowWatcherIsCutOffAndOthersGoOn() throws InterruptedException {
    long start = fixture.put("one", "a", "web", "red");
    try (CacheWatcher slow = fixture.watch("", "", "", start);
        CacheWatcher quick = fixture.watch("", "", "", start)) {
      List<String> seen = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        fixture.put("one", "n" + i, "web", "red");
        seen.addAll(take(quick, 1));
      }
      assertThat(seen).hasSize(50).doesNotContain("nothing");
      await().atMost(Duration.ofMinutes(1)).until(slow::isOverflowed);
      // What it had room for is the beginning of what others saw; then it ends.
      List<String> kept = new ArrayList<>();
      while (!slow.isOver()) {
        kept.addAll(take(slow, 1));
      }
      assertThat(kept).isNotEmpty().hasSizeLessThan(50);
      assertThat(seen).startsWith(kept.toArray(String[]::new));
      assertThat(poll(slow)).isNull();
    }
  }

  @Test
  void afterARestartAWatchResumesFromHistory() throws InterruptedException {
    long start = fixture.put("one", "a", "web", "red");
    long b = fixture.put("one", "b", "web", "red");
    long gone = fixture.delete("one", "a");
    fixture.restart();
    try (CacheWatcher watcher = fixture.watch("", "", "", start)) {
      assertThat(take(watcher, 2)).containsExactly("ADDED b@" + b, "DELETED a@" + gone);
      long c = fixture.put("one", "c", "web", "red");
      assertThat(take(watcher, 1)).containsExactly("ADDED c@" + c);
      await().atMost(Duration.ofMinutes(1)).until(() -> fixture.things().watcherCount() == 1);
      long d = fixture.put("one", "d", "web", "red");
      assertThat(take(watcher, 1)).containsExactly("ADDED d@" + d);
      assertThat(poll(watcher)).isNull();
    }
  }

  @Test
  void compactedHistoryIsToldAsExpired() {
    long start = fixture.put("one", "a", "web", "red");
    long b = fixture.put("one", "b", "web", "red");
    fixture.store.compact(b);
    fixture.restart();
    try (CacheWatcher watcher = fixture.watch("", "", "", start)) {
      assertThatThrownBy(() -> watcher.next(Duration.ofSeconds(5)))
          .isInstanceOf(ApiException.class)
          .hasMessage("too old resource version: " + start + " (" + b + ")");
      assertThat(watcher.isOver()).isTrue();
    }
  }

  @Test
  void closingTheCachesEndsWatches() throws InterruptedException {
    long start = fixture.put("one", "a", "web", "red");
    try (CacheWatcher watcher = fixture.watch("", "", "", start)) {
      fixture.caches.close();
      assertThat(watcher.next(Duration.ofSeconds(5))).isNull();
      assertThat(watcher.isOver()).isTrue();
    }
  }
}
