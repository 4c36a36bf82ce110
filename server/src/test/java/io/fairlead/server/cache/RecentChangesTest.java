package io.fairlead.server.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many changes are kept.
class RecentChangesTest {
  private static final int MEBIBYTE = 1 << 20;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "all while they are few, 5, 100, 0, 5",
    "small ones by number, 3000, 100, 952, 2048",
    "large ones by bytes, 10, 262144, 6, 4",
    "one that is too large alone, 3, 5242880, 2, 1"
  })
  void areBounded(String row, int changes, int size, long start, int kept) {
    RecentChanges recent = new RecentChanges();
    recent.restart(0);
    byte[] bytes = new byte[size];
    for (int revision = 1; revision <= changes; revision++) {
      recent.add(new CacheChange(revision, object(revision, bytes), null));
    }
    List<Long> seen = new ArrayList<>();
    recent.forEach(change -> seen.add(change.revision()));
    assertThat(seen).hasSize(kept).endsWith((long) changes);
    assertThat(recent.reachesBackTo(start)).isTrue();
    assertThat(recent.reachesBackTo(start - 1)).isFalse();
    recent.restart(7000);
    assertThat(recent.reachesBackTo(6999)).isFalse();
    recent.add(new CacheChange(7001, object(7001, new byte[3 * MEBIBYTE]), null));
    assertThat(recent.reachesBackTo(7000)).isTrue();
  }

  private static CachedObject object(long revision, byte[] bytes) {
    return new CachedObject(
        new ObjectReader(Fixture.THINGS), "/things/one/a", "one", 12, revision, bytes);
  }
}
