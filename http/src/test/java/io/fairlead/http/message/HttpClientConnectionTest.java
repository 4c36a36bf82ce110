package io.fairlead.http.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Answers of all shapes, byte by byte from a socket.
class HttpClientConnectionTest {
  /// @param wire what the server sends before it closes
  /// @param code what is understood; 0 when it is refused
  record Case(String name, String method, String wire, int code, String body) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> answers() {
    return Stream.of(
        new Case("a length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, "hi"),
        new Case(
            "chunks",
            "GET",
            "HTTP/1.1 200 OK\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + "2\r\n"
                + "hi\r\n"
                + "4\r\n"
                + " you\r\n"
                + "0\r\n\r\n",
            200,
            "hi you"),
        new Case("to the end", "GET", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi", 200, "hi"),
        new Case("nothing", "GET", "HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
        new Case("of length 0", "GET", "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", 404, ""),
        new Case("to HEAD", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 200, ""),
        new Case(
            "100 first",
            "POST",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx",
            201,
            "x"),
        new Case("no HTTP", "GET", "SSH-2.0-OpenSSH\r\n", 0, ""),
        new Case("nothing at all", "GET", "", 0, ""),
        new Case("half a head", "GET", "HTTP/1.1 200 OK\r\nContent-", 0, ""),
        new Case("half a body", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", 0, ""));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void isUnderstood(Case row) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<String> asked = serve(server, row.wire());
      try (HttpClientConnection peer = connect(server)) {
        peer.send(row.method(), "/path?x=1", List.of(Map.entry("Host", "node")));
        if (row.code() == 0) {
          assertThatThrownBy(
                  () -> {
                    peer.head();
                    peer.body().readAllBytes();
                  })
              .isInstanceOf(IOException.class);
        } else {
          assertThat(peer.head().code()).isEqualTo(row.code());
          assertThat(new String(peer.body().readAllBytes(), ISO_8859_1)).isEqualTo(row.body());
        }
      }
      assertThat(asked.get(60, TimeUnit.SECONDS))
          .isEqualTo(row.method() + " /path?x=1 HTTP/1.1\r\nHost: node\r\n\r\n");
    }
  }

  /// Bytes that come together with the head belong to what is spoken next.
  @Test
  void afterAnUpgradeEverythingIsGivenOn() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var _ =
          serve(
              server,
              "HTTP/1.1 101 Switching\r\n"
                  + "Upgrade: SPDY/3.1\r\n"
                  + "Connection: Upgrade\r\n\r\n"
                  + "\u0080early");
      try (HttpClientConnection peer = connect(server)) {
        peer.send("POST", "/", List.of());
        HttpClientConnection.Head head = peer.head();
        assertThat(head.code()).isEqualTo(101);
        assertThat(head.header("upgrade")).isEqualTo("SPDY/3.1");
        assertThat(new String(peer.rest().readAllBytes(), ISO_8859_1)).isEqualTo("\u0080early");
      }
    }
  }

  @Test
  void aBodyOfUnknownLengthGoesInChunks() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<String> asked = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket socket = server.accept()) {
                  asked.complete(new String(socket.getInputStream().readAllBytes(), ISO_8859_1));
                } catch (IOException e) {
                  asked.completeExceptionally(e);
                }
              });
      try (HttpClientConnection peer = connect(server)) {
        peer.send("PUT", "/", List.of());
        peer.chunks(new ByteArrayInputStream("hello".getBytes(ISO_8859_1)));
        peer.shutdownOutput();
        assertThat(asked.get(60, TimeUnit.SECONDS))
            .isEqualTo("PUT / HTTP/1.1\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
      }
    }
  }

  @Test
  void aLineBreakCannotBeSmuggledIn() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        HttpClientConnection peer = connect(server)) {
      assertThatThrownBy(
              () -> peer.send("GET", "/", List.of(Map.entry("X", "a\r\nAuthorization: b"))))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static HttpClientConnection connect(ServerSocket server) throws IOException {
    return new HttpClientConnection(
        new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort()));
  }

  /// Reads a head, then sends in small pieces and closes.
  private static CompletableFuture<String> serve(ServerSocket server, String wire) {
    CompletableFuture<String> asked = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (Socket socket = server.accept()) {
                socket.setTcpNoDelay(true);
                asked.complete(head(socket.getInputStream()));
                for (byte one : wire.getBytes(ISO_8859_1)) {
                  socket.getOutputStream().write(one);
                }
              } catch (IOException e) {
                asked.completeExceptionally(e);
              }
            });
    return asked;
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      head.append((char) next);
    }
    return head.toString();
  }

  /// @param header the name and value of one more header
  record Smuggled(String name, String method, String target, Map.Entry<String, String> header) {
    @Override
    public String toString() {
      return name;
    }
  }

  /// What HTTP/2 carries in a part of its own would be another part, or another request, here.
  static Stream<Smuggled> smuggled() {
    Map.Entry<String, String> fine = Map.entry("Accept", "*/*");
    return Stream.of(
        new Smuggled(
            "a request in a method", "GET /x HTTP/1.1\r\nX-Remote-User: a\r\n\r\nGET", "/", fine),
        new Smuggled("a blank in a method", "GET /x", "/", fine),
        new Smuggled("no method", "", "/", fine),
        new Smuggled("a request in a path", "GET", "/ HTTP/1.1\r\nA: b\r\n\r\nGET /", fine),
        new Smuggled("a blank in a path", "GET", "/a HTTP/1.1", fine),
        new Smuggled("a header in a name", "GET", "/", Map.entry("a: b\r\nX-Remote-User", "a")),
        new Smuggled("a colon in a name", "GET", "/", Map.entry("X-Remote-User:a", "b")),
        new Smuggled("a blank in a name", "GET", "/", Map.entry("Content-Length ", "5")),
        new Smuggled("a header in a value", "GET", "/", Map.entry("a", "b\nX-Remote-User: a")),
        new Smuggled("a zero in a value", "GET", "/", Map.entry("a", "b\0")));
  }

  @ParameterizedTest
  @MethodSource("smuggled")
  void noPartOfAHeadBecomesAnother(Smuggled row) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        HttpClientConnection peer = connect(server)) {
      assertThatThrownBy(() -> peer.send(row.method(), row.target(), List.of(row.header())))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
