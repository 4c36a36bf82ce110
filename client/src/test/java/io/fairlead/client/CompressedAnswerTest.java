package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.SocketTransport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A server that compresses what may be compressed, in chunks, as API servers do with long lists.
class CompressedAnswerTest {
  private static final String TEXT = "{\"text\": \"" + "äbc€".repeat(50_000) + "\"}";

  private final List<String> accepted = new CopyOnWriteArrayList<>();
  private final Set<Integer> connections = ConcurrentHashMap.newKeySet();
  private HttpServer server;
  private SocketTransport transport;

  @BeforeEach
  void open() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    transport =
        new SocketTransport(
            ClientConfig.of(uri, new Trust.Certificates(List.of()), new ClientIdentity.Anonymous()),
            "test/1");
  }

  @AfterEach
  void close() {
    transport.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      connections.add(exchange.getRemoteAddress().getPort());
      String takes = exchange.getRequestHeaders().getFirst("Accept-Encoding");
      accepted.add(takes == null ? "" : takes);
      byte[] text = (TEXT + "\n").getBytes(StandardCharsets.UTF_8);
      if (takes != null) {
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
      }
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      try (OutputStream body = takes == null ? out : new GZIPOutputStream(out)) {
        body.write(text);
      }
    }
  }

  @Test
  void aLongAnswerComesCompressedAndTheSocketIsUsedAgain() {
    for (int i = 0; i < 3; i++) {
      assertThat(transport.send(ApiRequest.get("/api")).text()).isEqualTo(TEXT + "\n");
    }
    assertThat(accepted).containsExactly("gzip", "gzip", "gzip");
    assertThat(connections).hasSize(1);
  }

  @Test
  void theLinesOfAStreamDoNotWaitForACompressor() {
    try (LineStream lines = transport.stream(ApiRequest.get("/api"))) {
      assertThat(lines.next().map(line -> new String(line, StandardCharsets.UTF_8))).contains(TEXT);
    }
    assertThat(accepted).containsExactly("");
  }
}
