package io.fairlead.client.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpResponseReaderTest {
  private static HttpResponseReader read(String text) throws IOException {
    String wire = text.replace("|", "\r\n");
    return HttpResponseReader.read(new ByteArrayInputStream(wire.getBytes(ISO_8859_1)), "GET");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "by length, HTTP/1.1 200 OK|Content-Length: 5||helloXX, 200, hello",
    "by chunks, HTTP/1.1 201 Created|transfer-encoding: Chunked||3|hel|2;x=y|lo|0||, 201, hello",
    "chunks with trailers, HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|A: b||, 200, hello",
    "by the end of the connection, HTTP/1.0 200 OK||hello, 200, hello",
    "after a 100, HTTP/1.1 100 Continue||HTTP/1.1 404 Not Found|Content-Length: 5||hello, 404, hello",
    "without a body, HTTP/1.1 204 No Content||ignored, 204, ''",
  })
  void answersAreRead(String name, String wire, int code, String body) throws IOException {
    HttpResponseReader response = read(wire);
    assertThat(response.code()).isEqualTo(code);
    assertThat(new String(response.body().readAllBytes(), ISO_8859_1)).isEqualTo(body);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "another protocol, SSH-2.0-x|",
    "nothing, ''",
    "cut in the headers, HTTP/1.1 200 OK|Content-",
    "cut in the body, HTTP/1.1 200 OK|Content-Length: 9||hello",
    "cut in a chunk, HTTP/1.1 200 OK|Transfer-Encoding: chunked||9|hello",
    "cut after a chunk, HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|",
    "malformed length, HTTP/1.1 200 OK|Content-Length: x||",
    "negative length, HTTP/1.1 200 OK|Content-Length: -1||",
    "malformed chunk, HTTP/1.1 200 OK|Transfer-Encoding: chunked||zz|",
    "header without colon, HTTP/1.1 200 OK|Content||",
  })
  void damageIsAnErrorNotAShortBody(String name, String wire) {
    assertThatThrownBy(() -> read(wire).body().readAllBytes()).isInstanceOf(IOException.class);
  }
}
