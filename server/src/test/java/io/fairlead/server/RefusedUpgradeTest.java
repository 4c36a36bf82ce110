package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// X8 of BENCH.md: a request to switch protocols that is refused leaves no connection open. What
/// comes on the same connection afterwards is a request of its own, with its own credentials
/// (CVE-2018-1002105), and no client is sent elsewhere (CVE-2022-3172).
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedUpgradeTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private TestServer server;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start();
    server.post("/api/v1/namespaces/default/serviceaccounts", "{'metadata':{'name':'default'}}");
    server.post(
        PODS,
        "{'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}");
    server.post("/api/v1/nodes", "{'metadata':{'name':'n'}}");
    server.post(
        "/api/v1/namespaces/default/services",
        "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  static Stream<String> paths() {
    return Stream.of(
        PODS + "/p/exec?command=ls",
        PODS + "/p/attach",
        PODS + "/p/portforward",
        PODS + "/none/exec?command=ls",
        PODS + "/p/proxy/",
        PODS + "/127.0.0.1:10250/proxy/",
        "/api/v1/nodes/n/proxy/",
        "/api/v1/nodes/169.254.169.254/proxy/latest/meta-data",
        "/api/v1/namespaces/default/services/s/proxy/",
        "/api/v1/namespaces/default/services/https:s:80/proxy/");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("paths")
  void staysShutAfterAnError(String path) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.server.port())) {
      socket.setSoTimeout(30_000);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      ask(
          socket,
          "GET "
              + path
              + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nConnection: Upgrade\r\n"
              + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
              + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
      String first = answer(in);
      assertThat(first).startsWith("HTTP/1.1 ").doesNotContain("Location:");
      assertThat(first.substring(9, 12)).isIn("400", "404", "503");
      ask(socket, "GET /api/v1/secrets HTTP/1.1\r\nHost: x\r\n\r\n");
      String second = answer(in);
      // Either the connection is over, or the stranger is told that they may not.
      assertThat(second.isEmpty() || second.startsWith("HTTP/1.1 403")).as(second).isTrue();
    }
  }

  private static void ask(Socket socket, String request) throws IOException {
    try {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    } catch (java.net.SocketException e) {
      // The server has closed the connection, which is one way to refuse.
    }
  }

  /// Head and body of an answer with a known length; empty when the connection is over.
  private static String answer(BufferedReader in) throws IOException {
    StringBuilder out = new StringBuilder();
    int length = 0;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      out.append(line).append('\n');
      if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring("content-length:".length()).strip());
      }
    }
    for (int i = 0; i < length; i++) {
      out.append((char) in.read());
    }
    return out.toString();
  }
}
