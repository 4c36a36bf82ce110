package io.fairlead.http.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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
    "with line feeds only in the head, 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello', 200, hello",
    "without a reason, HTTP/1.1 200|Content-Length: 5||hello, 200, hello",
    "other protocol after 101, HTTP/1.1 101 Switching|Upgrade: x||hello, 101, hello",
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
    "header without name, HTTP/1.1 200 OK|: x||",
    "space after a name, HTTP/1.1 200 OK|Content-Length : 5||hello",
    "continued header, HTTP/1.1 200 OK|A: b|  c||",
    "two lengths, HTTP/1.1 200 OK|Content-Length: 5|Content-Length: 5||hello",
    "length and chunks, HTTP/1.1 200 OK|Content-Length: 5|Transfer-Encoding: chunked||5|hello|0||",
    "unknown coding, HTTP/1.1 200 OK|Transfer-Encoding: 'gzip, chunked'||5|hello|0||",
    "signed length, HTTP/1.1 200 OK|Content-Length: +5||hello",
    "length beyond all numbers, HTTP/1.1 200 OK|Content-Length: 99999999999999999999||",
    "signed chunk, HTTP/1.1 200 OK|Transfer-Encoding: chunked||+5|hello|0||",
    "chunk beyond all numbers, HTTP/1.1 200 OK|Transfer-Encoding: chunked||fffffffffffffffff|",
    "chunk longer than said, HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|hello|0||",
    "code of two digits, HTTP/1.1 20 OK||",
    "code of four digits, HTTP/1.1 2000 OK||",
    "code that is no number, HTTP/1.1 2x0 OK||",
  })
  void damageIsAnErrorNotAShortBody(String name, String wire) {
    assertThatThrownBy(() -> read(wire).body().readAllBytes()).isInstanceOf(IOException.class);
  }

  /// RFC 9112 7.1: chunks end with CR LF.
  @Test
  void aLoneLineFeedFramesNoChunk() {
    assertThatThrownBy(
            () ->
                read("HTTP/1.1 200 OK|Transfer-Encoding: chunked||5\nhello|0||")
                    .body()
                    .readAllBytes())
        .isInstanceOf(IOException.class);
  }

  static Stream<Arguments> tooLarge() {
    return Stream.of(
        Arguments.of("a line", "HTTP/1.1 200 OK|A: " + "b".repeat(16 << 10) + "||"),
        Arguments.of("a status line", "HTTP/1.1 200 " + "b".repeat(16 << 10) + "||"),
        Arguments.of(
            "all headers", "HTTP/1.1 200 OK|" + ("A: " + "b".repeat(8000) + "|").repeat(9)),
        Arguments.of("the number of headers", "HTTP/1.1 200 OK|" + "A: b|".repeat(201) + "|"),
        Arguments.of(
            "a chunk's extension",
            "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5;" + "x".repeat(16 << 10) + "|hello|0||"),
        Arguments.of(
            "trailers",
            "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|" + "A: b|".repeat(201) + "|"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tooLarge")
  void everythingHasABound(String name, String wire) {
    assertThatThrownBy(() -> read(wire).body().readAllBytes())
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EOFException.class);
  }

  @Test
  void aCallerMaySetASmallerBound() {
    String wire = "HTTP/1.1 200 OK\r\nA: " + "b".repeat(2000) + "\r\n\r\n";
    assertThatThrownBy(
            () ->
                HttpResponseReader.read(
                    new ByteArrayInputStream(wire.getBytes(ISO_8859_1)), "GET", 1000))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EOFException.class);
  }

  /// Damaged answers end in an IOException or a body, never in another exception, and never in more
  /// bytes than came.
  @Test
  void noBytesBreakTheReader() {
    List<String> seeds =
        List.of(
            "HTTP/1.1 200 OK|Content-Length: 5||hello",
            "HTTP/1.1 200 OK|Transfer-Encoding: chunked||3|hel|2;x=y|lo|0|A: b||",
            "HTTP/1.1 100 Continue||HTTP/1.1 404 Not Found|A: b|C: d||hello");
    RandomGenerator random = new SplittableRandom(7);
    for (int round = 0; round < 20_000; round++) {
      byte[] wire =
          seeds.get(random.nextInt(seeds.size())).replace("|", "\r\n").getBytes(ISO_8859_1);
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        wire[random.nextInt(wire.length)] = (byte) random.nextInt(256);
      }
      byte[] cut = Arrays.copyOf(wire, 1 + random.nextInt(wire.length));
      try {
        byte[] body =
            HttpResponseReader.read(new ByteArrayInputStream(cut), "GET").body().readAllBytes();
        assertThat(body.length).isLessThan(cut.length);
      } catch (IOException _) {
        // Refused, as it should be.
        continue;
      }
    }
  }
}
