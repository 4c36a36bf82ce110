package io.fairlead.agent.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bodies of questions to a node, from a caller who may ask all of them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeInsightBodyTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer server;

  /// Lets every caller do everything.
  private static final class OpenAccess implements NodeAccess, NodeAccess.NodeCaller {
    @Override
    public void check(
        List<X509Certificate> certificates,
        @Nullable String token,
        String verb,
        String subresource) {}

    @Override
    public NodeCaller identify(
        List<X509Certificate> certificates,
        @Nullable String token,
        Map<String, List<String>> impersonation) {
      return this;
    }

    @Override
    public String name() {
      return "admin";
    }

    @Override
    public boolean may(
        String verb, String resource, String subresource, String namespace, String name) {
      return true;
    }

    @Override
    public void check(
        String verb, String resource, String subresource, String namespace, String name) {}
  }

  @BeforeAll
  void start() throws Exception {
    NodeServerOptions options =
        new NodeServerOptions(
            "127.0.0.1",
            0,
            false,
            SSLContext.getDefault(),
            "",
            new OpenAccess(),
            "n1",
            Optional.of(
                (request, _) ->
                    new NodeInsightHandler.InsightAnswer(
                        200, Json.object().put("fields", request.body().size()))));
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

  private static <T> T unused(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              throw new AssertionError(method + " has no part in this");
            }));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "an object | {\"to\": 1} | 200",
        "cut short | {\"to\": | 400",
        "a list | [] | 400",
        "no JSON | hello | 400",
        "nothing | '' | 400"
      })
  void aBodyThatIsNoObjectIsABadRequest(String name, String body, int code)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + server.port() + "/fairlead/v1/traces"))
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(name + ": " + answer.body()).isEqualTo(code);
    if (code == 400) {
      assertThat(answer.body()).contains("the body is no JSON object");
    }
  }
}
