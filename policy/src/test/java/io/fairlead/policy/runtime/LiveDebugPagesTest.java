package io.fairlead.policy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Who may read what the node enforces and has dropped, and what there is to read.
@Tag("system")
class LiveDebugPagesTest extends LiveDaemonFixture {
  /// The API server in memory, which besides knows two tokens: anna may get the debug pages, bert
  /// may not.
  private final class WithReviews implements Transport {
    @Override
    public ApiResponse send(ApiRequest request) {
      String body = String.valueOf(request.body());
      if (body.contains("unasked")) {
        throw new ConnectionException("away");
      }
      if (request.path().endsWith("tokenreviews")) {
        String user = body.contains("of-anna") ? "anna" : body.contains("of-bert") ? "bert" : "";
        return answer(
            "{\"authenticated\": %s, \"user\": {\"username\": \"%s\", \"groups\": [\"g\"]}}"
                .formatted(!user.isEmpty(), user));
      }
      if (request.path().endsWith("subjectaccessreviews")) {
        boolean allowed =
            body.contains("\"user\":\"anna\"")
                && body.contains("\"groups\":[\"g\"]")
                && body.contains("\"path\":\"/debug/")
                && body.contains("\"verb\":\"get\"");
        return answer("{\"allowed\": " + allowed + "}");
      }
      return api.send(request);
    }

    private static ApiResponse answer(String status) {
      return new ApiResponse(
          201, ("{\"status\": " + status + "}").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public LineStream stream(ApiRequest request) {
      return api.stream(request);
    }

    @Override
    public void close() {}
  }

  private HttpResponse<String> ask(String path, String token) {
    int port = daemon.statusAddress().orElseThrow().getPort();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return lab.node()
        .call(
            () -> {
              try (HttpClient http = HttpClient.newHttpClient()) {
                return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
              }
            });
  }

  @Test
  void px11OnlyThoseWhoMayGetThemReadTheDebugPages() throws InterruptedException {
    daemon.close();
    Client reviewing = new Client(new WithReviews());
    daemon =
        lab.node()
            .call(
                () -> {
                  PolicyDaemon made =
                      new PolicyDaemon(
                          PolicyOptions.of("node1")
                              .withStatus(new InetSocketAddress("127.0.0.1", 0)),
                          reviewing,
                          InstantSource.system());
                  made.start();
                  return made;
                });
    assertThat(daemon.awaitReady(LIMIT)).isTrue();
    policy("web", "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{}]}]}");
    awaitReach(Y_A, X_A, false);
    for (String path : new String[] {"/debug/policy", "/debug/drops"}) {
      assertThat(ask(path, "").statusCode()).as("no token").isEqualTo(403);
      assertThat(ask(path, "of-nobody").statusCode()).as("unknown token").isEqualTo(403);
      assertThat(ask(path, "of-bert").statusCode()).as("no right").isEqualTo(403);
      assertThat(ask(path, "unasked").statusCode()).as("no API to ask").isEqualTo(403);
      assertThat(ask(path, "of-anna").statusCode()).isEqualTo(200);
    }
    ObjectNode page = object(ask("/debug/policy", "of-anna"));
    assertThat(page.at("/gate/0").asString()).isEqualTo("10.244.1.0/24");
    assertThat(page.at("/follows").asString()).isEqualTo("all pods");
    assertThat(page.at("/plan/IPv4/ingress-anyone/10.244.1.11").asString())
        .isEqualTo("0 x/a by web");
    assertThat(page.path("pods"))
        .anySatisfy(
            pod -> {
              assertThat(Json.textOr(pod, "", "pod")).isEqualTo("x/a");
              assertThat(pod.at("/ingress/0").asString()).isEqualTo("x/web");
              assertThat(pod.path("egress").size()).isZero();
            });
    assertThat(page.at("/invalid/0/path").asString()).isEqualTo("spec.ingress[0].from[0]");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(ask("/debug/drops", "of-anna").body())
                    .contains("no policy lets y/a in on 80/TCP"));
    daemon.close();
    reviewing.close();
  }

  private static ObjectNode object(HttpResponse<String> response) {
    return Json.parseObject(response.body().getBytes(StandardCharsets.UTF_8));
  }
}
