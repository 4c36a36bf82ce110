package io.fairlead.proxy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import io.fairlead.proxy.testing.ProxyTestObjects;
import io.fairlead.work.LoopFaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What a proxy knows of the rules it finds before it has read the cluster.
final class RestartCheckpointTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-a}
      status: {addresses: [{type: InternalIP, address: 192.0.2.10}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {namespace: shop, name: a}
      spec: {clusterIP: 10.112.0.1, type: ClusterIP, ports: [{name: h, port: 80}]}
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {namespace: shop, name: a-1, labels: {kubernetes.io/service-name: a}}
      addressType: IPv4
      ports: [{name: h, port: 8080, protocol: TCP}]
      endpoints: [{addresses: [10.64.0.1]}]
      """;

  @TempDir Path directory;
  private final FakeApi api = new FakeApi(TestProxy.TYPES);
  private String watermark = "one";
  private RestartCheckpoint standing;

  /// An API that never sends the state of Services and slices.
  private record Stingy(FakeApi api, AtomicBoolean asked) implements Transport {
    @Override
    public ApiResponse send(ApiRequest request) {
      refuse(request);
      return api.send(request);
    }

    @Override
    public LineStream stream(ApiRequest request) {
      if (request.query().containsKey("sendInitialEvents")) {
        refuse(request);
      }
      return api.stream(request);
    }

    private void refuse(ApiRequest request) {
      if (request.path().endsWith("/services") || request.path().endsWith("/endpointslices")) {
        asked.set(true);
        throw new ConnectionException("not now");
      }
    }

    @Override
    public void close() {}
  }

  /// Something that may have happened while no proxy ran.
  private record Row(String name, Change change, boolean stands) {
    @Override
    public String toString() {
      return name;
    }
  }

  private interface Change {
    void make(RestartCheckpointTest test, TestProxy first) throws IOException;
  }

  @BeforeEach
  void prepare() {
    standing = new RestartCheckpoint(directory.resolve("standing.json"), () -> watermark);
  }

  @AfterEach
  void close() {
    api.close();
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("nothing", (_, _) -> {}, true),
        new Row("a lease was renewed", (test, _) -> test.api.skipRevision(), true),
        new Row("a Service came", (_, first) -> first.apply(changed("name: a", "name: b")), false),
        new Row(
            "a Service went",
            (_, first) -> first.delete(ProxyInformers.SERVICES, "shop", "a"),
            false),
        new Row(
            "an endpoint changed",
            (_, first) -> first.apply(changed("10.64.0.1", "10.64.0.2")),
            false),
        new Row("the rules changed", (test, _) -> test.watermark = "two", false),
        new Row("rules cannot be told apart", (test, _) -> test.watermark = "", false),
        new Row(
            "the Node moved to another zone",
            (_, first) ->
                first.apply(
                    changed(
                        "name: node-a", "name: node-a, labels: {topology.kubernetes.io/zone: z}")),
            false),
        new Row(
            "the Node is another one",
            (_, first) -> {
              first.delete(ProxyInformers.NODES, "", "node-a");
              first.apply(ProxyTestObjects.yaml(OBJECTS).getFirst());
            },
            false),
        new Row(
            "the API has forgotten the version",
            (test, first) -> {
              first.apply(changed("name: a", "name: b"));
              first.delete(ProxyInformers.SERVICES, "shop", "b");
              test.api.compact();
            },
            false),
        new Row(
            "the note is torn",
            (test, _) -> Files.writeString(test.standing.file(), "{\"mode\": \"ipta"),
            false),
        new Row("the note is gone", (test, _) -> Files.delete(test.standing.file()), false));
  }

  /// One of the objects, changed.
  private static ObjectNode changed(String from, String to) {
    return ProxyTestObjects.yaml(OBJECTS.replace(from, to)).stream()
        .filter(object -> !ProxyTestObjects.yaml(OBJECTS).contains(object))
        .findFirst()
        .orElseThrow();
  }

  private TestProxy noted() throws InterruptedException {
    TestProxy first = new TestProxy(api, transport -> transport, Optional.of(standing));
    first.apply(ProxyTestObjects.yaml(OBJECTS));
    first.proxy.start();
    await().atMost(LIMIT).until(() -> standing.read().isPresent());
    first.proxy.close();
    return first;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void rulesStandWhenNothingHasHappened(Row row) throws Exception {
    TestProxy first = noted();
    row.change.make(this, first);
    AtomicBoolean asked = new AtomicBoolean();
    TestProxy second = new TestProxy(api, _ -> new Stingy(api, asked), Optional.of(standing));
    Thread starting = Thread.ofVirtual().start(() -> start(second));
    try {
      // The state is asked for after it was found out whether the rules stand.
      await().atMost(LIMIT).untilTrue(asked);
      if (row.stands) {
        await().atMost(LIMIT).until(second.proxy::isReady);
      } else {
        assertThat(second.proxy.isReady()).isFalse();
      }
    } finally {
      starting.interrupt();
      starting.join();
      second.proxy.close();
    }
  }

  private static void start(TestProxy proxy) {
    try {
      proxy.proxy.start();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void forgettingLeavesNothing() throws Exception {
    noted().proxy.close();
    Files.writeString(directory.resolve("standing.json.new"), "torn");
    RestartCheckpoint.forget(standing.file());
    assertThat(directory).isEmptyDirectory();
    RestartCheckpoint.forget(standing.file());
  }

  @Test
  void aNoteIsWrittenAgainAfterAChange() throws Exception {
    try (TestProxy proxy = new TestProxy(api, transport -> transport, Optional.of(standing))) {
      proxy.apply(ProxyTestObjects.yaml(OBJECTS));
      proxy.proxy.start();
      await().atMost(LIMIT).until(() -> standing.read().isPresent());
      RestartCheckpoint.Contents before = standing.read().orElseThrow();
      assertThat(before.mode()).isEqualTo("iptables");
      assertThat(before.facts()).contains("node-a", "192.0.2.10");
      proxy.apply(changed("10.64.0.1", "10.64.0.2"));
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(standing.read().orElseThrow().slices()).isNotEqualTo(before.slices()));
    }
  }

  @Test
  void aNoteIsWrittenAgainAfterAFailureNothingExpects() throws Exception {
    try (TestProxy proxy = new TestProxy(api, transport -> transport, Optional.of(standing))) {
      proxy.apply(ProxyTestObjects.yaml(OBJECTS));
      proxy.proxy.start();
      await().atMost(LIMIT).until(() -> standing.read().isPresent());
      RestartCheckpoint.Contents before = standing.read().orElseThrow();
      assertThat(LoopFaults.failOnce("proxy-checkpoint")).isEqualTo(1);
      AtomicInteger changes = new AtomicInteger(1);
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                proxy.apply(changed("10.64.0.1", "10.64.0." + changes.incrementAndGet()));
                return !standing
                    .read()
                    .map(note -> note.slices())
                    .equals(Optional.of(before.slices()));
              });
    }
  }
}
