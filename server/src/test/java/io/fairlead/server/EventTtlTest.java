package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.server.resources.cluster.EventResource;
import io.fairlead.store.testing.MemoryStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// How long Events live, in both shapes in which they are written.
class EventTtlTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String CORE = "/api/v1/namespaces/default/events";
  private static final String GROUP = "/apis/events.k8s.io/v1/namespaces/default/events";

  /// @param kept how long the server is to keep them
  /// @param still how old they are when they are there
  /// @param gone how old when they are not; empty for never
  record Row(String name, Duration kept, Duration still, Optional<Duration> gone) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row(
            "an hour",
            EventResource.KEPT,
            Duration.ofMinutes(59),
            Optional.of(Duration.ofMinutes(61))),
        new Row(
            "ten minutes",
            Duration.ofMinutes(10),
            Duration.ofMinutes(9),
            Optional.of(Duration.ofMinutes(11))),
        new Row(
            "part of a second more",
            Duration.ofMillis(1500),
            Duration.ofMillis(1900),
            Optional.of(Duration.ofMillis(2100))),
        new Row("for ever", Duration.ZERO, Duration.ofDays(1000), Optional.empty()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void eventsGoWhenTheirTimeIsOver(Row row) throws Exception {
    AtomicLong now = new AtomicLong();
    try (MemoryStore store = new MemoryStore(now::get);
        TestServer server = TestServer.startKeepingEvents(new SharedStore(store), row.kept())) {
      assertThat(server.post(CORE, core()).code()).isEqualTo(201);
      assertThat(server.post(GROUP, group()).code()).isEqualTo(201);
      now.set(row.still().toNanos());
      store.expireDue();
      assertThat(store.get("/registry/events/default/one")).isNotNull();
      assertThat(store.get("/registry/events/default/other")).isNotNull();
      if (row.gone().isEmpty()) {
        return;
      }
      now.set(row.gone().get().toNanos());
      store.expireDue();
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                assertThat(server.get(CORE + "/one").code()).isEqualTo(404);
                assertThat(server.get(GROUP + "/other").code()).isEqualTo(404);
              });
    }
  }

  private static String core() {
    return """
        {"metadata":{"name":"one"},"involvedObject":{"namespace":"default","kind":"Pod","name":"p"},
         "reason":"Tested","message":"something happened","type":"Normal"}""";
  }

  private static String group() {
    return """
        {"metadata":{"name":"other"},"regarding":{"namespace":"default","kind":"Pod","name":"p"},
         "reason":"Tested","action":"Testing","note":"something happened","type":"Normal",
         "eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"example.com/test",
         "reportingInstance":"test-0"}""";
  }
}
