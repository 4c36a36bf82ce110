package io.fairlead.agent.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.server.HttpServer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The node's own logs, as `nodes/N/proxy/logs/` shows them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeLogFilesTest {
  @TempDir static Path directory;

  private HttpServer server;

  @BeforeAll
  void start() throws IOException {
    Path root = Files.createDirectories(directory.resolve("log"));
    Files.writeString(directory.resolve("secret"), "secret");
    Files.writeString(root.resolve("syslog"), "line\n");
    Files.writeString(root.resolve("a b<c>"), "odd\n");
    Files.writeString(Files.createDirectories(root.resolve("pods")).resolve("one.log"), "one\n");
    Files.createSymbolicLink(root.resolve("inside"), root.resolve("syslog"));
    Files.createSymbolicLink(root.resolve("outside"), directory.resolve("secret"));
    NodeLogFiles logs = new NodeLogFiles(root);
    server =
        HttpServer.start(
            "127.0.0.1",
            0,
            null,
            exchange -> {
              NodeCall call = new NodeCall(exchange);
              try {
                logs.serve(call, call.path());
              } catch (ApiException e) {
                call.send(e.status());
              }
            });
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "/logs/syslog | 200 | line",
        "/logs | 301 | logs/",
        "/logs/ | 200 | <a href=\"syslog\">syslog</a>",
        "/logs/?query | 200 | <a href=\"pods/\">pods/</a>",
        "/logs/? | 200 | <a href=\"a%20b%3Cc%3E\">a b&lt;c&gt;</a>",
        "/logs/a%20b%3Cc%3E | 200 | odd",
        "/logs/pods | 301 | pods/",
        "/logs/pods/one.log | 200 | one",
        "/logs/inside | 200 | line",
        "/logs/outside | 404 | could not find",
        "/logs/..%2fsecret | 400 | Ambiguous",
        "/logs/none | 404 | could not find"
      })
  void filesBelowTheDirectoryAreServed(String path, int code, String text) throws IOException {
    try (HttpClientConnection connection =
        new HttpClientConnection(new Socket("127.0.0.1", server.port()))) {
      connection.send(
          "GET", path, List.of(Map.entry("Host", "x"), Map.entry("Connection", "close")));
      HttpClientConnection.Head head = connection.head();
      String body = new String(connection.body().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(head.code()).as(body).isEqualTo(code);
      assertThat(code == 301 ? head.header("Location") : body).contains(text);
    }
  }
}
