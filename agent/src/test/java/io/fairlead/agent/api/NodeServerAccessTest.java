package io.fairlead.agent.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.HttpServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which right each path of the node's server takes.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeServerAccessTest {
  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer server;

  @BeforeAll
  void start() throws Exception {
    NodeAccess nobody =
        (_, _, verb, subresource) -> {
          asked.add(verb + " nodes/" + subresource);
          throw ApiException.forbidden("", "nodes", "n1", "not you");
        };
    NodeServerOptions options =
        new NodeServerOptions(
            "127.0.0.1", 0, false, SSLContext.getDefault(), "", nobody, "n1", Optional.empty());
    server =
        HttpServer.start(
            "127.0.0.1",
            0,
            null,
            new NodeHandler(
                unused(NodePods.class),
                unused(NodeStatsProvider.class),
                options,
                InstantSource.system()));
  }

  /// What must not be reached: those who ask are refused before.
  private static <T> T unused(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              throw new AssertionError(method + " was called for one who may not");
            }));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "GET, /pods, get nodes/proxy",
    "GET, /runningpods, get nodes/proxy",
    "GET, /configz, get nodes/proxy",
    "GET, /containerLogs/a/b/c, get nodes/proxy",
    "GET, /metrics, get nodes/metrics",
    "GET, /stats/summary, get nodes/stats",
    "GET, /exec/a/b/c?command=id, create nodes/proxy",
    "POST, /exec/a/b/c?command=id, create nodes/proxy",
    "HEAD, /exec/a/b/c, create nodes/proxy",
    "GET, /attach/a/b/c, create nodes/proxy",
    "GET, /portForward/a/b, create nodes/proxy",
    "DELETE, /pods, delete nodes/proxy",
    "GET, /none, get nodes/proxy"
  })
  void aPathTakesARight(String method, String path, String right)
      throws IOException, InterruptedException {
    asked.clear();
    int code =
        client
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build(),
                BodyHandlers.discarding())
            .statusCode();
    assertThat(code).isEqualTo(403);
    assertThat(asked).containsExactly(right);
  }
}
