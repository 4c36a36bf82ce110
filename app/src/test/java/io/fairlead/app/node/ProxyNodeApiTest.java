package io.fairlead.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.api.NodeInsightHandler.InsightAnswer;
import io.fairlead.agent.api.NodeInsightServer;
import io.fairlead.agent.api.NodeServerOptions;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.MessageConnection;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.gather.ClusterSources;
import io.fairlead.insight.gather.HandshakeProbe;
import io.fairlead.insight.gather.NameProbe;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// The node API of a proxy that runs alone, from a command through the port-forward of an API
/// server that knows nothing of node APIs. That server is played; TLS, who is let in and what is
/// asked are real.
class ProxyNodeApiTest {
  private static final String FORWARD = "/api/v1/namespaces/kube-system/pods/proxy-x/portforward";

  private final List<String> users = new CopyOnWriteArrayList<>();
  private final List<String> paths = new CopyOnWriteArrayList<>();
  private HttpServer api;
  private Client reviewer;
  private NodeInsightServer node;
  private volatile String fingerprint = "";

  @BeforeEach
  void open() throws IOException {
    api = HttpServer.start("127.0.0.1", 0, null, this::answer);
    reviewer = client("reviewer");
    NodeServerOptions options =
        NodeServerAuth.options(reviewer, List.of(), "a", List.of(), "127.0.0.1", 0, false)
            .with(
                (request, _) -> {
                  users.add(request.user());
                  return new InsightAnswer(
                      200,
                      Json.object()
                          .put("apiVersion", "fairlead.dev/v1")
                          .put("kind", "NodeAbout")
                          .put("path", request.path())
                          .put("service", request.query().getOrDefault("service", ""))
                          .put("long", "x".repeat(100_000)));
                });
    node = NodeInsightServer.open(options);
    fingerprint = options.fingerprint();
  }

  @AfterEach
  void close() {
    node.close();
    reviewer.close();
    api.close();
  }

  private ClientConfig connection(String token) {
    return ClientConfig.of(
        URI.create("http://127.0.0.1:" + api.port()),
        new Trust.Certificates(List.of()),
        new ClientIdentity.Token(token));
  }

  private Client client(String token) {
    return new Client(new SocketTransport(connection(token), "test/1"));
  }

  private void answer(HttpServerExchange exchange) throws IOException {
    paths.add(exchange.path());
    try {
      switch (exchange.path()) {
        case FORWARD -> {
          int port = node.port();
          assertThat(exchange.query().text("ports")).isEqualTo("10261");
          boolean _ = exchange.upgrade("v4.channel.k8s.io", each -> new Forward(each, port));
        }
        case "/apis/coordination.k8s.io/v1/namespaces/kube-public/leases/fairlead-proxy-a" ->
            send(
                exchange,
                200,
                ProxyReport.now("a", Map.of(), InstantSource.system().instant())
                    .withNodeApi(fingerprint)
                    .toLease());
        case "/api/v1/pods" -> send(exchange, 200, pods(exchange));
        case "/apis/authentication.k8s.io/v1/tokenreviews" -> send(exchange, 201, token(exchange));
        case "/apis/authorization.k8s.io/v1/subjectaccessreviews" ->
            send(exchange, 201, access(exchange));
        default -> send(exchange, 404, ApiException.noSuchResource().status().toJson());
      }
    } catch (ApiException e) {
      send(exchange, e.status().code(), e.status().toJson());
    }
  }

  private static void send(HttpServerExchange exchange, int code, ObjectNode body)
      throws IOException {
    byte[] bytes = Json.bytes(body);
    exchange.setStatus(code);
    exchange.setHeader("Content-Type", "application/json");
    exchange.send(bytes, bytes.length);
  }

  private static ObjectNode pods(HttpServerExchange exchange) {
    assertThat(exchange.query().text("labelSelector")).isEqualTo("fairlead.dev/part=proxy");
    assertThat(exchange.query().text("fieldSelector")).isEqualTo("spec.nodeName=a");
    ObjectNode list = Json.object().put("kind", "PodList").put("apiVersion", "v1");
    ObjectNode pod = list.putArray("items").addObject();
    pod.putObject("metadata").put("name", "proxy-x").put("namespace", "kube-system");
    return list;
  }

  private static ObjectNode token(HttpServerExchange exchange) throws IOException {
    ObjectNode review = (ObjectNode) Json.parse(exchange.body().readAllBytes());
    ObjectNode status = review.putObject("status");
    if (Json.textOr(review, "", "spec", "token").equals("alice-token")) {
      status.put("authenticated", true).putObject("user").put("username", "alice");
    }
    return review;
  }

  /// Alice may look into the node, and send nothing from it.
  private static ObjectNode access(HttpServerExchange exchange) throws IOException {
    ObjectNode review = (ObjectNode) Json.parse(exchange.body().readAllBytes());
    boolean allowed =
        Json.textOr(review, "", "spec", "user").equals("alice")
            && Json.textOr(review, "", "spec", "resourceAttributes", "verb").equals("get")
            && Json.textOr(review, "", "spec", "resourceAttributes", "subresource")
                .equals("insight");
    review.putObject("status").put("allowed", allowed);
    return review;
  }

  /// The pod's end of a port-forward.
  private static final class Forward implements MessageConnection.Receiver {
    private final MessageConnection messages;
    private final Socket socket;
    private boolean begun;

    Forward(MessageConnection messages, int port) {
      this.messages = messages;
      try {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      Thread _ = Tasks.start("test-forward", this::pump);
    }

    private void pump() throws IOException {
      for (byte channel = 0; channel < 2; channel++) {
        messages.send(new byte[] {channel, 0x15, 0x28});
      }
      byte[] buffer = new byte[20_000];
      for (int count = socket.getInputStream().read(buffer, 1, buffer.length - 1);
          count >= 0;
          count = socket.getInputStream().read(buffer, 1, buffer.length - 1)) {
        messages.send(java.util.Arrays.copyOf(buffer, count + 1));
      }
      messages.close();
    }

    @Override
    public void part(byte[] bytes, boolean last) throws IOException {
      int begin = begun ? 0 : 1;
      socket.getOutputStream().write(bytes, begin, bytes.length - begin);
      begun = !last;
    }

    @Override
    public void gone(@Nullable Throwable why) {
      try {
        socket.close();
      } catch (IOException _) {
        // Nothing more can be done with it.
      }
    }
  }

  private Evidence<ObjectNode> ask(String token, String question) {
    try (Client client = client(token)) {
      return sources(client, token).node("a", question);
    }
  }

  private ClusterSources sources(Client client, String token) {
    return new ClusterSources(
            client,
            InstantSource.system(),
            new NameProbe(new SecureRandom(), 100),
            new HandshakeProbe(Ticker.system(), 100),
            Optional.empty())
        .throughPods(connection(token));
  }

  @Test
  void whoMayLookIntoTheNodeGetsAnAnswer() {
    Evidence<ObjectNode> answer = ask("alice-token", "rules?service=web");
    assertThat(answer).isInstanceOf(Seen.class);
    assertThat(Json.textOr(answer.value().orElseThrow(), "", "path")).isEqualTo("rules");
    assertThat(Json.textOr(answer.value().orElseThrow(), "", "service")).isEqualTo("web");
    assertThat(users).containsExactly("alice");
  }

  @Test
  void whoIsUnknownOrMayNotIsRefused() {
    assertThat(ask("nobody", "about")).isInstanceOf(Unseen.class).matches(this::isForbidden);
    try (Client client = client("alice-token")) {
      assertThat(sources(client, "alice-token").post("a", "traces", Json.object()))
          .isInstanceOf(Unseen.class)
          .matches(this::isForbidden);
    }
    assertThat(users).isEmpty();
  }

  private boolean isForbidden(Evidence<ObjectNode> answer) {
    return answer instanceof Unseen<?> unseen && unseen.why() instanceof Why.Forbidden;
  }

  @Test
  void anotherCertificateThanTheReportNamesIsNotBelieved() {
    fingerprint = "00".repeat(32);
    assertThat(ask("alice-token", "about"))
        .isInstanceOfSatisfying(
            Unseen.class,
            unseen -> assertThat(unseen.why().toString()).contains("another certificate"));
    assertThat(users).isEmpty();
  }

  @Test
  void aProxyWithoutNodeApiIsNotLookedFor() {
    fingerprint = "";
    assertThat(ask("alice-token", "about"))
        .isInstanceOfSatisfying(
            Unseen.class, unseen -> assertThat(unseen.why()).isInstanceOf(Why.NoNodeApi.class));
    assertThat(paths).doesNotContain("/api/v1/pods", FORWARD);
  }
}
