package io.fairlead.server.webhook;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.pki.PkiOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// A webhook with TLS in the process of a test. It keeps what it is asked.
public final class TestWebhook implements AutoCloseable {
  private final HttpServer server;
  private final Pki pki;
  private final List<ObjectNode> asked = new CopyOnWriteArrayList<>();
  private final List<String> targets = new CopyOnWriteArrayList<>();
  private final List<String> peers = new CopyOnWriteArrayList<>();

  private TestWebhook(Path directory, Function<TestWebhook, RequestHandler> handler)
      throws Exception {
    ApiServerConfig.KeyFiles none = ApiServerConfig.KeyFiles.NONE;
    this.pki =
        Pki.open(
            directory,
            new PkiOptions(
                List.of("127.0.0.1", "localhost", "hook.default.svc"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                none,
                InstantSource.system()));
    this.server = HttpServer.start("127.0.0.1", 0, pki.serverContext(), handler.apply(this));
  }

  /// Answers each review with that response, whose uid is filled in.
  public static TestWebhook answering(Path keys, Function<ObjectNode, ObjectNode> response)
      throws Exception {
    return serving(
        keys,
        (hook, exchange) -> {
          ObjectNode review = Json.parseObject(exchange.body().readAllBytes());
          hook.asked.add(review);
          ObjectNode request = (ObjectNode) review.path("request");
          ObjectNode answer =
              Json.object()
                  .put("kind", "AdmissionReview")
                  .put("apiVersion", Json.textOr(review, "", "apiVersion"));
          ObjectNode said = response.apply(request);
          if (!said.has("uid")) {
            said.set("uid", request.path("uid"));
          }
          answer.set("response", said);
          send(exchange, 200, Json.bytes(answer));
        });
  }

  /// What a webhook does with a request.
  public interface Behaviour {
    void handle(TestWebhook hook, HttpServerExchange exchange) throws Exception;
  }

  public static TestWebhook serving(Path keys, Behaviour behaviour) throws Exception {
    return new TestWebhook(
        keys,
        hook ->
            exchange -> {
              hook.targets.add(exchange.uri());
              hook.peers.add(String.valueOf(exchange.remoteSocketAddress()));
              behaviour.handle(hook, exchange);
            });
  }

  public static void send(HttpServerExchange exchange, int code, byte[] body) throws Exception {
    exchange.setStatus(code);
    exchange.setHeader("Content-Type", "application/json");
    exchange.send(body, body.length);
  }

  /// The reviews so far.
  public List<ObjectNode> asked() {
    return asked;
  }

  /// The paths with their queries so far.
  public List<String> targets() {
    return targets;
  }

  /// Who has asked, a port for each connection.
  public List<String> peers() {
    return peers;
  }

  public int port() {
    return server.port();
  }

  public String caPem() {
    return pki.caPem();
  }

  /// A `clientConfig` that leads here.
  public String clientConfig() {
    return "{'url':'https://127.0.0.1:"
        + port()
        + "/hook','caBundle':'"
        + Base64.getEncoder().encodeToString(caPem().getBytes(StandardCharsets.US_ASCII))
        + "'}";
  }

  @Override
  public void close() {
    server.close();
  }
}
