package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a server looks after while it runs.
class UpkeepTest {
  private static final ApiServerConfig.Limits LIMITS = ApiServerConfig.Limits.DEFAULT;

  @Test
  void theServiceOfTheServerIsMadeAnewWithItsAddress() throws Exception {
    try (TestServer server = start(new MemoryStore())) {
      String path = "/api/v1/namespaces/default/services/kubernetes";
      String uid = server.get(path).at("metadata", "uid");
      assertThat(server.send("DELETE", path).now().code()).isEqualTo(200);
      await()
          .untilAsserted(
              () -> {
                TestServer.Answer again = server.get(path);
                assertThat(again.code()).isEqualTo(200);
                assertThat(again.at("metadata", "uid")).isNotEqualTo(uid);
                assertThat(again.at("spec", "clusterIP")).isEqualTo("10.96.0.1");
              });
    }
  }

  @Test
  void aSystemNamespaceIsMadeAnew() throws Exception {
    try (MemoryStore store = new MemoryStore();
        TestServer server = start(new Shared(store))) {
      String key = "/registry/namespaces/kube-node-lease";
      assertThat(store.get(key)).isNotNull();
      store.commit(List.of(new Write.Delete(key, Write.ANY)));
      await()
          .untilAsserted(
              () ->
                  assertThat(server.get("/api/v1/namespaces/kube-node-lease").code())
                      .isEqualTo(200));
    }
  }

  @Test
  void nothingIsWrittenWhenNothingIsMissing() throws Exception {
    try (TestServer server = start(new MemoryStore())) {
      long before = server.store.revision();
      await()
          .pollDelay(Duration.ofMillis(300))
          .untilAsserted(() -> assertThat(server.store.revision()).isEqualTo(before));
    }
  }

  @Test
  void readyzIsRedWhileTheStoreCannotBeFollowed() throws Exception {
    try (MemoryStore memory = new MemoryStore()) {
      Shared store = new Shared(memory);
      try (TestServer server = start(store)) {
        assertThat(server.get("/readyz/store-watch").code()).isEqualTo(200);
        store.cut();
        TestServer.Answer red = server.get("/readyz?verbose");
        assertThat(red.code()).isEqualTo(500);
        assertThat(red.text())
            .contains("[-]store-watch failed: reason withheld\n")
            .endsWith("readyz check failed\n");
        assertThat(server.get("/livez").code()).isEqualTo(200);
        store.mend();
        await()
            .atMost(Duration.ofSeconds(20))
            .untilAsserted(() -> assertThat(server.get("/readyz").code()).isEqualTo(200));
      }
    }
  }

  private static TestServer start(io.fairlead.store.Store store) throws Exception {
    return TestServer.start(store, LIMITS, new SecureRandom(), Duration.ofMillis(50));
  }
}
