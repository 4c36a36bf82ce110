package io.fairlead.server.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CompactionTest {
  private final MemoryStore store = new MemoryStore();

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aRoundForgetsWhatIsOlderThanTheRoundBefore() {
    Compaction compaction = new Compaction(store, 1);
    put("1");
    compaction.round();
    long first = store.revision();
    put("2");
    assertThat(store.compactedRevision()).isLessThan(first);
    compaction.round();
    assertThat(store.compactedRevision()).isEqualTo(first);
  }

  @Test
  void whatIsNotOlderThanTheRoundsKeptStays() {
    Compaction compaction = new Compaction(store, 3);
    put("1");
    compaction.round();
    long first = store.revision();
    for (String value : List.of("2", "3", "4")) {
      assertThat(store.compactedRevision()).isLessThan(first);
      put(value);
      compaction.round();
    }
    assertThat(store.compactedRevision()).isEqualTo(first);
  }

  @Test
  void aRoundWithoutWritesDoesNothing() {
    Compaction compaction = new Compaction(store, 1);
    put("1");
    compaction.round();
    compaction.round();
    long compacted = store.compactedRevision();
    compaction.round();
    compaction.round();
    assertThat(store.compactedRevision()).isEqualTo(compacted);
  }

  @Test
  void aRoundThatFailsCanBeRepeatedWithoutLosingHistorySooner() {
    AtomicInteger failures = new AtomicInteger(5);
    Compaction compaction = new Compaction(failing(failures), 2);
    put("1");
    compaction.round();
    long first = store.revision();
    put("2");
    while (failures.get() > 0) {
      assertThatThrownBy(compaction::round).hasMessage("the disk is full");
    }
    put("3");
    compaction.round();
    assertThat(store.compactedRevision()).isLessThan(first);
    compaction.round();
    assertThat(store.compactedRevision()).isEqualTo(first);
  }

  /// The store, which refuses to compact a few times.
  private Store failing(AtomicInteger times) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (method.getName().equals("compact") && times.getAndDecrement() > 0) {
                throw new StoreException("the disk is full", null);
              }
              return method.invoke(store, arguments);
            });
  }

  private void put(String value) {
    store.commit(List.of(new Write.Put("/registry/a", value.getBytes(UTF_8), Write.ANY)));
  }
}
