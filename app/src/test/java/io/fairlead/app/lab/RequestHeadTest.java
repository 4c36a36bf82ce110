package io.fairlead.app.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a proxy makes of the head of a request.
class RequestHeadTest {
  @Test
  void aRequestGoesOnWithoutWhatConcernsTheProxy() throws Exception {
    RequestHead head =
        RequestHead.parse(
            "POST http://web.other:8080/a%20b?c=d HTTP/1.1\r\nHost: web.other:8080\r\n"
                + "Proxy-Connection: keep-alive\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
                + "Content-Length: 3\r\n");
    assertThat(head.host()).isEqualTo("web.other");
    assertThat(head.port()).isEqualTo(8080);
    assertThat(head.isTunnel()).isFalse();
    assertThat(new String(head.forwarded(), StandardCharsets.US_ASCII))
        .isEqualTo(
            "POST /a%20b?c=d HTTP/1.1\r\nHost: web.other:8080\r\nContent-Length: 3\r\n"
                + "Connection: close\r\n\r\n");
  }

  @Test
  void withoutAPathThereIsOne() throws Exception {
    RequestHead head = RequestHead.parse("GET http://web HTTP/1.1\n");
    assertThat(head.port()).isEqualTo(80);
    assertThat(new String(head.forwarded(), StandardCharsets.US_ASCII)).startsWith("GET / HTTP");
  }

  @Test
  void aTunnelLeadsAnywhere() throws Exception {
    RequestHead head = RequestHead.parse("CONNECT [fd00::1]:5432 HTTP/1.1\nHost: x\n");
    assertThat(head.host()).isEqualTo("[fd00::1]");
    assertThat(head.port()).isEqualTo(5432);
    assertThat(head.isTunnel()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GET",
        "GET /path HTTP/1.1",
        "GET https://web/ HTTP/1.1",
        "GET http:/// HTTP/1.1",
        "GET http://a b/ HTTP/1.1",
        "CONNECT web HTTP/1.1",
        "CONNECT web:http HTTP/1.1"
      })
  void whatIsNoRequestIsRefused(String line) {
    assertThatThrownBy(() -> RequestHead.parse(line)).isInstanceOf(ProtocolException.class);
  }
}
