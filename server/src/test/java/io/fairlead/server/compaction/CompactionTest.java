package io.fairlead.server.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import java.util.List;
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

  private void put(String value) {
    store.commit(List.of(new Write.Put("/registry/a", value.getBytes(UTF_8), Write.ANY)));
  }
}
