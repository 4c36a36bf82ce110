package io.fairlead.server.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many changes are kept.
class RecentChangesTest {
  private static final int MEBIBYTE = 1 << 20;

  private long nanos;
  private final RecentChanges recent = new RecentChanges(() -> nanos);

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "all while they are few, 5, 100, 1, 0, 5",
    "small ones by number, 3000, 100, 0, 952, 2048",
    "large ones by bytes with what is around them, 10, 261888, 1, 6, 4",
    "one that is too large alone, 3, 5242880, 1, 2, 1",
    "old ones by age, 10, 100, 25, 6, 4",
    "one that is old alone, 3, 100, 100, 2, 1"
  })
  void areBounded(String row, int changes, int size, long seconds, long start, int kept) {
    recent.restart(0);
    byte[] bytes = new byte[size];
    for (int revision = 1; revision <= changes; revision++) {
      recent.add(revision, object(revision, bytes), null);
      nanos += TimeUnit.SECONDS.toNanos(seconds);
    }
    List<Long> seen = new ArrayList<>();
    recent.forEach(change -> seen.add(change.revision()));
    assertThat(seen).hasSize(kept).endsWith((long) changes);
    assertThat(recent.reachesBackTo(start)).isTrue();
    assertThat(recent.reachesBackTo(start - 1)).isFalse();
    recent.restart(7000);
    assertThat(recent.reachesBackTo(6999)).isFalse();
    recent.add(7001, object(7001, new byte[3 * MEBIBYTE]), null);
    assertThat(recent.reachesBackTo(7000)).isTrue();
  }

  @Test
  void eventsAreMadeForWhoResumesAndNotKept() {
    recent.restart(0);
    recent.add(1, object(1, new byte[100]), null);
    List<WatchEvent> events = new ArrayList<>();
    recent.forEach(change -> events.add(change.eventFor(SelectionPredicate.EVERYTHING)));
    recent.forEach(change -> events.add(change.eventFor(SelectionPredicate.EVERYTHING)));
    assertThat(events).hasSize(2).doesNotContainNull().doesNotHaveDuplicates();
    assertThat(events).extracting(WatchEvent::type).containsOnly(WatchEvent.Type.ADDED);
  }

  private static CachedObject object(long revision, byte[] bytes) {
    return new CachedObject(
        new CachedObjectReader(CacheFixture.THINGS), "/things/one/a", "one", 12, revision, bytes);
  }
}
