package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.testing.MemoryStore;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A step that fails ends none of the server's loops.
class LoopsTest {
  private static TestServer server;
  private static SharedStore store;

  @BeforeAll
  static void start() throws Exception {
    store = new SharedStore(new MemoryStore());
    server =
        TestServer.start(
            store, ApiServerConfig.Limits.DEFAULT, new SecureRandom(), Duration.ofMillis(50));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"apiserver-repair", "service-claim-repair", "store-probe", "request-deadlines"})
  void periodicWorkGoesOnAfterAFailedStep(String kind) {
    long failures = status(kind).restarts();
    assertThat(LoopFaults.failOnce(kind)).isPositive();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(status(kind).restarts()).isGreaterThan(failures));
    long steps = status(kind).steps();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(status(kind).steps()).isGreaterThan(steps));
    assertThat(server.server.isReady()).isTrue();
  }

  @Test
  void compactionGoesOnAfterAFailedStep() {
    long failures = status("store-compaction").restarts();
    assertThat(LoopFaults.failOnce("store-compaction")).isPositive();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> assertThat(status("store-compaction").restarts()).isGreaterThan(failures));
    assertThat(status("store-compaction").running()).isPositive();
  }

  @Test
  void cachesAreLoadedAgainThoughAStepFailed() {
    assertThat(LoopFaults.failOnce("cache-reload")).isPositive();
    store.cut();
    assertThat(server.get("/readyz/store-watch").code()).isEqualTo(500);
    store.mend();
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(server.get("/readyz/store-watch").code()).isEqualTo(200));
    assertThat(server.post("/api/v1/namespaces", "{'metadata':{'name':'after'}}").code())
        .isEqualTo(201);
    assertThat(server.get("/api/v1/namespaces/after").code()).isEqualTo(200);
  }

  private static LoopStatus status(String kind) {
    return LoopRegistry.statuses().stream()
        .filter(each -> each.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }
}
