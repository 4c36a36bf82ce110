package io.fairlead.server.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerExchange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A page behind `…/proxy/` works in a browser: its links and redirects stay behind the proxy.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProxiedPageTest {
  private static final String PREFIX = "/api/v1/namespaces/default/pods/web/proxy";
  private static final ProxiedLinks LINKS = ProxiedLinks.of(PREFIX, "10.0.0.5", 80);

  private HttpServer pod;
  private HttpServer proxy;

  @BeforeAll
  void start() throws IOException {
    pod = HttpServer.start("127.0.0.1", 0, null, ProxiedPageTest::page);
    proxy = HttpServer.start("127.0.0.1", 0, null, this::pass);
  }

  @AfterAll
  void stop() {
    proxy.close();
    pod.close();
  }

  private static void page(HttpServerExchange exchange) throws IOException {
    byte[] page = "<a href=\"/next\">caf\u00e9</a>".getBytes(ISO_8859_1);
    exchange.setStatus(200);
    exchange.setHeader("Date", "Thu, 01 Jan 2026 00:00:00 GMT");
    exchange.setHeader("Access-Control-Allow-Origin", "*");
    switch (exchange.path()) {
      case "/moved" -> {
        exchange.setStatus(302);
        exchange.setHeader("Location", "/next?a=b");
      }
      case "/method" -> send(exchange, "text/plain", exchange.method().getBytes(UTF_8));
      case "/seen" ->
          send(
              exchange,
              "text/plain",
              String.valueOf(exchange.header("X-Forwarded-Uri")).getBytes(UTF_8));
      case "/zipped" -> {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(bytes)) {
          zip.write(page);
        }
        exchange.setHeader("Content-Encoding", "gzip");
        send(exchange, "text/html", bytes.toByteArray());
      }
      case "/plain" -> send(exchange, "text/plain", page);
      default -> send(exchange, "text/html; charset=iso-8859-1", page);
    }
  }

  private static void send(HttpServerExchange exchange, String type, byte[] body)
      throws IOException {
    exchange.setHeader("Content-Type", type);
    exchange.send(body, body.length);
  }

  private void pass(HttpServerExchange exchange) throws IOException {
    HttpClientConnection peer = new HttpClientConnection(new Socket("127.0.0.1", pod.port()));
    ProxySubresourceHandler.pass(
        exchange,
        peer,
        exchange.path().substring(PREFIX.length()),
        "127.0.0.1:" + pod.port(),
        ProxiedLinks.of(PREFIX, "127.0.0.1", pod.port()),
        null);
  }

  private record Answer(HttpClientConnection.Head head, byte[] body) {}

  private Answer ask(String method, String path) throws IOException {
    try (HttpClientConnection connection =
        new HttpClientConnection(new Socket("127.0.0.1", proxy.port()))) {
      connection.send(
          method, PREFIX + path, List.of(Map.entry("Host", "x"), Map.entry("Connection", "close")));
      HttpClientConnection.Head head = connection.head();
      return new Answer(head, connection.body().readAllBytes());
    }
  }

  @Test
  void linksOfAPageStayBehindTheProxy() throws IOException {
    assertThat(new String(ask("GET", "/").body(), ISO_8859_1))
        .isEqualTo("<a href=\"" + PREFIX + "/next\">caf\u00e9</a>");
  }

  @Test
  void aZippedPageIsZippedAgain() throws IOException {
    Answer answer = ask("GET", "/zipped");
    assertThat(answer.head().header("Content-Encoding")).isEqualTo("gzip");
    try (InputStream page = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
      assertThat(new String(page.readAllBytes(), ISO_8859_1)).contains(PREFIX + "/next");
    }
  }

  @Test
  void whatIsNoPageKeepsItsBytes() throws IOException {
    Answer answer = ask("GET", "/plain");
    assertThat(new String(answer.body(), ISO_8859_1)).startsWith("<a href=\"/next\">");
    assertThat(answer.head().header("Content-Length")).isEqualTo("24");
  }

  @Test
  void aRedirectStaysBehindTheProxy() throws IOException {
    Answer answer = ask("GET", "/moved");
    assertThat(answer.head().code()).isEqualTo(302);
    assertThat(answer.head().header("Location")).isEqualTo(PREFIX + "/next?a=b");
  }

  @Test
  void theDateIsThatOfThePageAndComesOnce() throws IOException {
    List<String> dates = new ArrayList<>();
    for (Map.Entry<String, String> header : ask("GET", "/").head().headers()) {
      if (header.getKey().equalsIgnoreCase("Date")) {
        dates.add(header.getValue());
      }
    }
    assertThat(dates).containsExactly("Thu, 01 Jan 2026 00:00:00 GMT");
  }

  @Test
  void noOtherOriginIsLetInByAPod() throws IOException {
    assertThat(ask("GET", "/").head().header("Access-Control-Allow-Origin")).isEmpty();
  }

  @Test
  void everyMethodArrives() throws IOException {
    for (String method : List.of("GET", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")) {
      assertThat(new String(ask(method, "/method").body(), UTF_8)).isEqualTo(method);
    }
    Answer head = ask("HEAD", "/");
    assertThat(head.head().code()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(ask("HEAD", "/zipped").head().code()).isEqualTo(200);
  }

  @Test
  void thePodLearnsWhatWasAskedFor() throws IOException {
    assertThat(new String(ask("GET", "/seen").body(), UTF_8)).isEqualTo(PREFIX + "/seen");
  }

  record Row(String name, String page, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> pages() {
    return Stream.of(
        new Row("absolute path", "<a href='/x'>", "<a href='" + PREFIX + "/x'>"),
        new Row("without quotes", "<a href=/x>y", "<a href=" + PREFIX + "/x>y"),
        new Row("spaces around", "<A\n HREF = \"/x\" >", "<A\n HREF = \"" + PREFIX + "/x\" >"),
        new Row("empty element", "<img src=\"/i\"/>", "<img src=\"" + PREFIX + "/i\"/>"),
        new Row(
            "two links",
            "<img src=\"/i\" alt='/a' longdesc=\"/d\">",
            "<img src=\"" + PREFIX + "/i\" alt='/a' longdesc=\"" + PREFIX + "/d\">"),
        new Row("relative", "<a href=\"x/y\">", "<a href=\"x/y\">"),
        new Row("fragment", "<a href=\"#x\">", "<a href=\"#x\">"),
        new Row("query", "<a href=\"?x=/y\">", "<a href=\"?x=/y\">"),
        new Row("another host", "<a href=\"http://a.b/x\">", "<a href=\"http://a.b/x\">"),
        new Row("a mail address", "<a href=\"mailto:/x\">", "<a href=\"mailto:/x\">"),
        new Row("same host", "<a href=\"http://10.0.0.5/x\">", "<a href=\"" + PREFIX + "/x\">"),
        new Row("same host and port", "<a href=//10.0.0.5:80>", "<a href=" + PREFIX + "/>"),
        new Row("same host, other port", "<a href=//10.0.0.5:81/>", "<a href=//10.0.0.5:81/>"),
        new Row(
            "already behind the proxy",
            "<a href=\"" + PREFIX + "/x\">",
            "<a href=\"" + PREFIX + "/x\">"),
        new Row(
            "only looks so",
            "<a href=\"" + PREFIX + "x\">",
            "<a href=\"" + PREFIX + PREFIX + "x\">"),
        new Row("no link of that element", "<p href=\"/x\">", "<p href=\"/x\">"),
        new Row("end tag", "</a href=\"/x\">", "</a href=\"/x\">"),
        new Row("comment", "<!-- <a href=\"/x\"> -->", "<!-- <a href=\"/x\"> -->"),
        new Row("after a comment", "<!----><a href=/x>", "<!----><a href=" + PREFIX + "/x>"),
        new Row(
            "text of a script, and after it",
            "<script>if (a<b) s=\"<a href='/x'>\"</script><a href=/y>",
            "<script>if (a<b) s=\"<a href='/x'>\"</script><a href=" + PREFIX + "/y>"),
        new Row("less than", "1 < 2 <a href=/x>", "1 < 2 <a href=" + PREFIX + "/x>"),
        new Row(
            "a tag in a value", "<a title='>' href='/x'>", "<a title='>' href='" + PREFIX + "/x'>"),
        new Row("cut off", "<a href=\"/x", "<a href=\"/x"),
        new Row("document type", "<!doctype html><br>", "<!doctype html><br>"),
        new Row("attribute without value", "<a href download>", "<a href download>"));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void linksInTagsAreRewritten(Row row) throws IOException {
    for (int piece : List.of(1, 7, 10_000)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      new HtmlLinkRewriter(LINKS).copy(new Pieces(row.page(), piece), out);
      assertThat(out.toString(ISO_8859_1)).isEqualTo(row.expected());
    }
  }

  @Test
  void aTagWithoutEndIsNotHeld() throws IOException {
    String page = "<a " + "x".repeat(200_000) + "><a href=/x>";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new HtmlLinkRewriter(LINKS).copy(new Pieces(page, 4096), out);
    assertThat(out.toString(ISO_8859_1))
        .isEqualTo(page.replace("href=/x", "href=" + PREFIX + "/x"));
  }

  /// A page that comes in pieces.
  private static final class Pieces extends ByteArrayInputStream {
    private final int most;

    Pieces(String page, int most) {
      super(page.getBytes(ISO_8859_1));
      this.most = most;
    }

    @Override
    public synchronized int read(byte[] into) {
      return read(into, 0, Math.min(most, into.length));
    }
  }
}
