package io.fairlead.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// A trace whose hops are told while it runs.
class UiTraceTest extends UiServerFixture {
  private static final String BODY =
      "{\"from\":\"pod/default/web-1\",\"to\":\"svc/default/web\",\"how\":\"send\"}";

  private Socket ask(Visitor visitor) throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout(20_000);
    String request =
        String.join(
            "\r\n",
            "POST /ui/api/v1/traces HTTP/1.1",
            "Host: 127.0.0.1:" + server.port(),
            "Content-Type: application/json",
            "Accept: application/x-ndjson",
            "Cookie: " + visitor.cookie(),
            "X-Fairlead-Token: " + visitor.token(),
            "Content-Length: " + BODY.length(),
            "",
            BODY);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  /// The next line that is JSON: between them are the lengths of chunks.
  private static ObjectNode next(InputStream in) throws IOException {
    String line = PageClient.line(in);
    while (!line.startsWith("{")) {
      line = PageClient.line(in);
    }
    return Json.parseObject(line.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void hopsComeBeforeTheAnswer() throws IOException {
    CountDownLatch gate = new CountDownLatch(1);
    host.gate = gate;
    host.evidence.document("a", "traces", "hops: [{n: 1, place: pod}, {n: 2, place: raw}]");
    try (Socket socket = ask(visitor())) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      assertThat(PageClient.line(in)).contains(" 200 ");
      assertThat(PageClient.headers(in)).containsEntry("content-type", "application/x-ndjson");
      assertThat(next(in).path("hops")).hasSize(2);
      gate.countDown();
      assertThat(next(in).path("answer").path("command").asString(""))
          .isEqualTo("fairlead trace pod/web-1 to svc/web.default -n default");
    } finally {
      gate.countDown();
    }
  }

  @Test
  void whoMayNotAskTheNodeGetsTheAnswerAlone() throws IOException {
    host.allowed = _ -> false;
    host.evidence.document("a", "traces", "hops: [{n: 1, place: pod}]");
    CountDownLatch gate = new CountDownLatch(1);
    host.gate = gate;
    try (Socket socket = ask(visitor())) {
      gate.countDown();
      InputStream in = new BufferedInputStream(socket.getInputStream());
      assertThat(PageClient.line(in)).contains(" 200 ");
      assertThat(PageClient.headers(in)).isNotEmpty();
      assertThat(next(in).has("answer")).isTrue();
    } finally {
      gate.countDown();
    }
  }
}
