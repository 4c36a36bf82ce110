package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.CommitResult;
import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A client that asks for a watch and never reads is cut off soon after it has fallen too far
/// behind, whatever it speaks; the network alone would let it be for much longer.
class SlowWatcherTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir Path pki;

  /// One way to ask for a watch.
  private interface Sleeper {
    AutoCloseable watch(int port) throws Exception;
  }

  private record Case(String name, boolean tls, Sleeper sleeper) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    String plain =
        "GET " + MAPS + "?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n";
    String upgrade =
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    return Stream.of(
        new Case("HTTP/1.1", false, port -> asleep(port, plain + "\r\n")),
        new Case("WebSocket", false, port -> asleep(port, plain + upgrade + "\r\n")),
        new Case(
            "HTTP/2",
            true,
            port -> {
              RawHttp2 client = new RawHttp2(port);
              client.request(MAPS + "?watch=1", "admin", false);
              return client;
            }));
  }

  private static Socket asleep(int port, String request) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void isCutOff(Case row) throws Exception {
    try (MemoryStore store = new MemoryStore();
        Running running = start(row.tls(), store)) {
      try (AutoCloseable _ = row.sleeper().watch(running.server.port())) {
        await().atMost(Duration.ofSeconds(60)).until(() -> running.server.openWatches() == 1);
        // More than the network's buffers hold, and then more than the queue does.
        String filler = "x".repeat(500_000);
        for (int i = 0; i < 60; i++) {
          put(store, i + filler);
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> running.server.openWatches() == 0);
      }
      assertThat(running.server.isReady()).isTrue();
    }
  }

  private record Running(ApiServer server) implements AutoCloseable {
    @Override
    public void close() {
      server.close();
    }
  }

  private Running start(boolean tls, MemoryStore store) throws Exception {
    ApiServerConfig.Limits usual = ApiServerConfig.Limits.DEFAULT;
    ApiServerConfig.Limits limits =
        new ApiServerConfig.Limits(
            usual.bodyBytes(), usual.jsonPatchOperations(), usual.requestsInFlight(), 20);
    return new Running(
        tls
            ? TestServer.startTls(pki, new SharedStore(store), limits)
            : TestServer.start(new SharedStore(store), limits).server);
  }

  private static void put(MemoryStore store, String data) {
    String map =
        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\","
            + "\"namespace\":\"default\"},\"data\":{\"k\":\""
            + data
            + "\"}}";
    CommitResult outcome =
        store.commit(
            List.of(
                new Write.Put(
                    "/registry/configmaps/default/a",
                    map.getBytes(StandardCharsets.UTF_8),
                    Write.ANY)));
    assertThat(outcome).isInstanceOf(CommitResult.Committed.class);
  }
}
