package io.fairlead.server.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A container's output by WebSocket.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebSocketLogTest {
  private static final String LOG = "one\ntwo\u00e9\n";

  private HttpServer node;
  private HttpServer server;

  @BeforeAll
  void start() throws IOException {
    node = HttpServer.start("127.0.0.1", 0, null, WebSocketLogTest::log);
    server = HttpServer.start("127.0.0.1", 0, null, this::serve);
  }

  @AfterAll
  void stop() {
    server.close();
    node.close();
  }

  private static void log(HttpServerExchange exchange) throws IOException {
    boolean none = exchange.path().equals("/none");
    byte[] body = (none ? "no such container" : LOG).getBytes(UTF_8);
    exchange.setStatus(none ? 404 : 200);
    exchange.setHeader("Content-Type", "text/plain");
    exchange.send(body, body.length);
  }

  private void serve(HttpServerExchange exchange) throws IOException {
    UpgradeAwareProxy relay =
        new UpgradeAwareProxy(
            exchange, new HttpClientConnection(new Socket("127.0.0.1", node.port())));
    relay.ask("GET", exchange.path(), List.of(Map.entry("Host", "node")));
    List<String> offered =
        exchange.headers("Sec-WebSocket-Protocol").stream()
            .flatMap(line -> Arrays.stream(line.split(", *")))
            .toList();
    try {
      WebSocketLog.serve(exchange, relay, "node", offered);
    } catch (ApiException e) {
      relay.close();
      exchange.setStatus(e.status().code());
    }
  }

  private static final class Listener implements WebSocket.Listener {
    final CompletableFuture<String> content = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public synchronized CompletionStage<?> onBinary(
        WebSocket socket, ByteBuffer data, boolean last) {
      byte[] part = new byte[data.remaining()];
      data.get(part);
      bytes.writeBytes(part);
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletionStage<?> onText(
        WebSocket socket, CharSequence data, boolean last) {
      bytes.writeBytes(Base64.getDecoder().decode(data.toString()));
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      content.complete(code + " " + bytes.toString(UTF_8));
      return CompletableFuture.completedFuture(null);
    }
  }

  private CompletableFuture<WebSocket> open(
      HttpClient client, String path, String protocol, Listener listener) {
    WebSocket.Builder builder = client.newWebSocketBuilder();
    if (!protocol.isEmpty()) {
      builder.subprotocols(protocol);
    }
    return builder.buildAsync(URI.create("ws://127.0.0.1:" + server.port() + path), listener);
  }

  @ParameterizedTest(name = "protocol [{0}]")
  @CsvSource({"binary.k8s.io", "base64.binary.k8s.io", "''"})
  void theLogComesAsMessages(String protocol) throws Exception {
    Listener listener = new Listener();
    try (HttpClient client = HttpClient.newHttpClient()) {
      WebSocket socket = open(client, "/log", protocol, listener).get(60, TimeUnit.SECONDS);
      assertThat(socket.getSubprotocol()).isEqualTo(protocol);
      assertThat(listener.content.get(60, TimeUnit.SECONDS)).isEqualTo("1000 " + LOG);
    }
  }

  @Test
  void aRefusalOfTheNodeIsAnOrdinaryAnswer() {
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(open(client, "/none", "binary.k8s.io", new Listener()))
          .failsWithin(60, TimeUnit.SECONDS)
          .withThrowableThat()
          .havingRootCause()
          .withMessageContaining("404");
    }
  }

  @Test
  void anotherProtocolIsRefused() {
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(open(client, "/log", "chat", new Listener()))
          .failsWithin(60, TimeUnit.SECONDS)
          .withThrowableThat()
          .havingRootCause()
          .withMessageContaining("400");
    }
  }
}
