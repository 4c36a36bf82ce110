package io.fairlead.http.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.http.message.HttpClientConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusHttpServerTest {
  private static StatusPage page(StatusRequest request) {
    return switch (request.path()) {
      case "/text" -> StatusPage.text(200, request.method() + " " + request.query());
      case "/weight" ->
          new StatusPage(503, "application/json", Map.of("X-Weight", "2"), "{}".getBytes(UTF_8));
      case "/family" -> StatusPage.text(200, request.ipv4() ? "IPv4" : "IPv6");
      case "/broken" -> throw new IllegalStateException("no page");
      default -> StatusPage.notFound();
    };
  }

  private record Reply(int code, String type, String weight, String body) {}

  private static Reply ask(StatusHttpServer server, String method, String target)
      throws IOException {
    try (HttpClientConnection connection =
        new HttpClientConnection(
            new Socket(server.address().getAddress(), server.address().getPort()))) {
      connection.send(method, target, List.of(Map.entry("Host", "x")));
      HttpClientConnection.Head head = connection.head();
      String body = new String(connection.body().readAllBytes(), UTF_8);
      return new Reply(head.code(), head.header("content-type"), head.header("x-weight"), body);
    }
  }

  private static StatusHttpServer server() throws IOException {
    return new StatusHttpServer(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), StatusHttpServerTest::page);
  }

  @Test
  void pagesComeWithCodeTypeAndHeaders() throws Exception {
    String text = "text/plain; charset=utf-8";
    try (StatusHttpServer server = server()) {
      assertThat(ask(server, "GET", "/text?a=1")).isEqualTo(new Reply(200, text, "", "GET a=1"));
      assertThat(ask(server, "HEAD", "/text")).isEqualTo(new Reply(200, text, "", ""));
      assertThat(ask(server, "GET", "/weight"))
          .isEqualTo(new Reply(503, "application/json", "2", "{}"));
      assertThat(ask(server, "GET", "/family")).isEqualTo(new Reply(200, text, "", "IPv4"));
      assertThat(ask(server, "GET", "/other"))
          .isEqualTo(new Reply(404, text, "", "404 page not found\n"));
    }
  }

  /// A page that throws costs its own request only.
  @Test
  void aBrokenPageCutsTheConnectionAndTheServerGoesOn() throws Exception {
    try (StatusHttpServer server = server()) {
      assertThatThrownBy(() -> ask(server, "GET", "/broken")).isInstanceOf(IOException.class);
      assertThat(ask(server, "GET", "/family").code()).isEqualTo(200);
    }
  }
}
