package io.fairlead.http.message;

import io.fairlead.work.testing.FuzzRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Damaged answers of HTTP/1.1 servers.
class HttpResponseFuzzTest {
  @Test
  void anAnswerIsReadOrRefused() {
    FuzzRun.run(
        bytes ->
            HttpResponseReader.read(new ByteArrayInputStream(bytes), "GET").body().readAllBytes(),
        FuzzRun.texts(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + "5;a=b\r\n"
                + "hello\r\n"
                + "0\r\n"
                + "T: v\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\nConnection: Upgrade\r\n\r\n",
            "HTTP/1.0 404 Not Found\r\nA: b\r\n c\r\n\r\nrest until the end"),
        List.of(IOException.class));
  }
}
