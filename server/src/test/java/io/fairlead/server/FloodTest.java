package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.testing.MemoryStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many requests of one sender cost that sender and no other: health is answered all the time, and
/// nothing of them is kept (X7 of BENCH.md; CVE-2023-44487, CVE-2020-8552).
class FloodTest {
  private static final int SENDERS = 8;

  /// Far above what is seen, far below what a client would call dead.
  private static final Duration HEALTHY = Duration.ofSeconds(5);

  private static final long KEPT_AT_MOST = 64 << 20;

  @TempDir Path pki;

  @Test
  void aClientThatTakesEveryRequestBackIsSentAway() throws Exception {
    try (MemoryStore store = new MemoryStore();
        ApiServer server =
            TestServer.startTls(pki, new SharedStore(store), ApiServerConfig.Limits.DEFAULT)) {
      long before = heap();
      flood(
          server,
          () -> {
            for (int connection = 0; connection < 5; connection++) {
              assertThat(resetUntilSentAway(server.port()))
                  .isIn(RawHttp2.ENHANCE_YOUR_CALM, RawHttp2.HUNG_UP);
            }
            return null;
          });
      assertThat(heap() - before).isLessThan(KEPT_AT_MOST);
    }
  }

  /// Why the server closed a connection on which 2,000 requests were begun and reset.
  private static int resetUntilSentAway(int port) throws Exception {
    try (RawHttp2 client = new RawHttp2(port)) {
      CompletableFuture<Integer> goodbye =
          CompletableFuture.supplyAsync(client::awaitGoAway, Thread.ofVirtual()::start);
      try {
        for (int i = 0; i < 2000; i++) {
          client.request("/api/v1/namespaces/default/services", "admin", true);
        }
      } catch (IOException e) {
        // The server has hung up already.
      }
      return goodbye.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void unauthorizedRequestsLeaveNothingBehind() throws Exception {
    try (TestServer server = TestServer.start()) {
      int metrics = server.get("/metrics").text().length();
      long before = heap();
      flood(
          server.server,
          () -> {
            for (int i = 0; i < 250; i++) {
              refused(server, i);
            }
            return null;
          });
      assertThat(heap() - before).isLessThan(KEPT_AT_MOST);
      // 2,000 paths, methods, tokens and agents that never were before: no series for each.
      assertThat(server.get("/metrics").text().length() - metrics).isLessThan(20_000);
    }
  }

  /// Never the same twice: neither path nor method nor token nor user agent.
  private static void refused(TestServer server, int i) {
    String unique = Thread.currentThread().threadId() + "x" + i;
    Answer stranger =
        server
            .send(i % 2 == 0 ? "GET" : "M" + unique, "/apis/" + unique + ".example.com/v1/things")
            .header("Authorization", "Bearer " + unique)
            .header("User-Agent", unique)
            .now();
    assertThat(stranger.code()).isEqualTo(401);
    Answer nobody =
        server
            .send("GET", "/api/v1/namespaces/default/services/x/" + unique)
            .header("Authorization", "Bearer nobody")
            .now();
    assertThat(nobody.code()).isEqualTo(403);
  }

  /// Lets many senders do it at once and asks for health until they are done.
  private static void flood(ApiServer server, Callable<Void> sender) throws Exception {
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
        HttpClient client = healthClient()) {
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        running.add(senders.submit(sender));
      }
      do {
        long began = System.nanoTime();
        HttpResponse<String> health =
            client.send(
                HttpRequest.newBuilder(URI.create(server.url() + "/livez"))
                    .timeout(Duration.ofSeconds(30))
                    .build(),
                BodyHandlers.ofString());
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(HEALTHY);
      } while (!running.stream().allMatch(Future::isDone));
      for (Future<Void> one : running) {
        one.get(60, TimeUnit.SECONDS);
      }
    }
  }

  private static HttpClient healthClient() throws Exception {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(RawHttp2.trustingAll())
        .build();
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
