package io.fairlead.server.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StorageMigrationTest {
  private static void put(Store store, String key, String value) {
    var unused = store.commit(List.of(new Write.Put(key, value.getBytes(UTF_8), Write.ANY)));
  }

  private static String value(Store store, String key) {
    StoreEntry entry = Objects.requireNonNull(store.get(key), key);
    return new String(entry.value(), UTF_8);
  }

  @Test
  void ingressesMoveToWhereTheOriginalKeepsThem() {
    try (MemoryStore store = new MemoryStore()) {
      put(store, "/registry/ingresses/default/a", "a");
      put(store, "/registry/ingressclasses/c", "c");
      StorageMigration.run(store);
      StorageMigration.run(store);
      assertThat(value(store, "/registry/ingress/default/a")).isEqualTo("a");
      assertThat(store.get("/registry/ingresses/default/a")).isNull();
      assertThat(value(store, "/registry/ingressclasses/c")).isEqualTo("c");
    }
  }

  @Test
  void anObjectAtItsPlaceIsNotOverwritten() {
    try (MemoryStore store = new MemoryStore()) {
      put(store, "/registry/ingresses/default/a", "old");
      put(store, "/registry/ingress/default/a", "new");
      StorageMigration.run(store);
      assertThat(value(store, "/registry/ingress/default/a")).isEqualTo("new");
    }
  }
}
