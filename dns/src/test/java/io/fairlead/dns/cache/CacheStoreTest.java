package io.fairlead.dns.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.testing.TestReplies;
import io.fairlead.dns.wire.Name;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CacheStoreTest {
  private static CacheKey key(int i) {
    return new CacheKey(Name.of("n" + i + ".example"), 1, 1, false, false);
  }

  private static CacheEntry entry() {
    Reply reply = TestReplies.found(TestReplies.a("x.example", 60, "192.0.2.1"));
    return new CacheEntry(reply, 0, Duration.ofSeconds(60));
  }

  @Test
  void holdsNoMoreThanItMay() {
    CacheStore store = new CacheStore(100, Long.MAX_VALUE);
    int evicted = 0;
    for (int i = 0; i < 1000; i++) {
      evicted += store.put(key(i), entry());
    }
    assertThat(store.size()).isEqualTo(100);
    assertThat(evicted).isEqualTo(900);
  }

  @Test
  void whatIsUsedStays() {
    CacheStore store = new CacheStore(100, Long.MAX_VALUE);
    store.put(key(0), entry());
    for (int i = 1; i < 1000; i++) {
      CacheEntry popular = Objects.requireNonNull(store.get(key(0)));
      popular.hit(i, Duration.ofSeconds(1));
      store.put(key(i), entry());
    }
  }

  @Test
  void allUsedStillMakesRoom() {
    CacheStore store = new CacheStore(10, Long.MAX_VALUE);
    for (int i = 0; i < 50; i++) {
      CacheEntry entry = entry();
      entry.hit(1, Duration.ofSeconds(1));
      store.put(key(i), entry);
    }
    assertThat(store.size()).isLessThanOrEqualTo(10);
  }

  @Test
  void bytesAreBounded() {
    int each = entry().cost();
    CacheStore store = new CacheStore(1000, each * 20L);
    for (int i = 0; i < 500; i++) {
      store.put(key(i), entry());
    }
    assertThat(store.size()).isEqualTo(20);
  }

  @Test
  void replacingTheSameNameForEverCostsNothing() {
    CacheStore store = new CacheStore(100, Long.MAX_VALUE);
    for (int i = 0; i < 10_000; i++) {
      store.put(key(1), entry());
    }
    assertThat(store.size()).isEqualTo(1);
    assertThat(store.get(key(1))).isNotNull();
  }
}
