package io.fairlead.server.stream;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// Passes a request on to a node or pod, and the answer back. When the answer is 101 both
/// connections become one: bytes go through as they come, in both directions, until both sides are
/// done or one of them breaks. Nothing is kept but what is on its way.
final class UpgradeAwareProxy {
  private static final int BUFFER = 32 << 10;
  private static final int LARGEST_ERROR = 64 << 10;
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  /// Headers about one connection, not about what passes through.
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private final HttpServerExchange exchange;
  private final HttpClientConnection peer;

  /// @param peer gets one request; it is closed when everything is over
  UpgradeAwareProxy(HttpServerExchange exchange, HttpClientConnection peer) {
    this.exchange = exchange;
    this.peer = peer;
    exchange.onFailure(peer::close);
  }

  static boolean isHopByHop(String header) {
    return HOP_BY_HOP.contains(header.toLowerCase(Locale.ROOT));
  }

  /// Sends the head of the request.
  void ask(String method, String target, List<Map.Entry<String, String>> headers)
      throws IOException {
    try {
      peer.send(method, target, headers);
    } catch (IllegalArgumentException e) {
      throw ApiException.badRequest("the request cannot be passed on: " + e.getMessage());
    }
  }

  /// Sends the client's body too, while the answer is waited for.
  ///
  /// @param length -1 when the client did not say; the head must say that it is chunked then
  void askWithBody(long length) {
    Tasks.start(
        "proxied-body",
        () -> {
          try (InputStream body = exchange.body()) {
            if (length < 0) {
              peer.chunks(body);
            } else {
              peer.body(body);
            }
          } catch (IOException _) {
            // The answer shows it, or its absence.
          }
        });
  }

  /// Waits for the answer and passes it on, to its end.
  ///
  /// @param links changes those of a page and the one of a redirect
  void answer(ProxiedLinks links) throws IOException {
    boolean handedOver = false;
    try {
      HttpClientConnection.Head head = peer.head();
      if (head.code() == 101) {
        switchProtocols(head);
        handedOver = true;
      } else {
        pass(head, links);
      }
    } finally {
      if (!handedOver) {
        peer.close();
      }
    }
  }

  /// The same for a node's answer: a refusal becomes a Status, and a node that does not believe us
  /// is our trouble, not the client's.
  void nodeAnswer(String node, ProxiedLinks links) throws IOException {
    boolean handedOver = false;
    try {
      HttpClientConnection.Head head = peer.head();
      if (head.code() == 101) {
        switchProtocols(head);
        handedOver = true;
      } else if (head.code() < 400) {
        pass(head, links);
      } else if (head.header("Content-Type").startsWith("application/json") && !isOurs(head)) {
        pass(head, ProxiedLinks.NONE);
      } else {
        throw refused(node, head);
      }
    } finally {
      if (!handedOver) {
        peer.close();
      }
    }
  }

  /// Waits for the body of a node's answer, for those who bring it to the client in another way.
  ///
  /// @throws ApiException when the node refuses
  InputStream nodeBody(String node) throws IOException {
    HttpClientConnection.Head head = peer.head();
    if (head.code() >= 300) {
      throw refused(node, head);
    }
    return peer.body();
  }

  /// Ends the connection to the node.
  void close() {
    peer.close();
  }

  private static boolean isOurs(HttpClientConnection.Head head) {
    return head.code() == 401
        || (head.code() == 403 && head.header("X-Accepted-Stream-Protocol-Versions").isEmpty());
  }

  private ApiException refused(String node, HttpClientConnection.Head head) throws IOException {
    String text = new String(peer.body().readNBytes(LARGEST_ERROR), StandardCharsets.UTF_8).strip();
    if (isOurs(head)) {
      return ApiException.internal(
          "node \"" + node + "\" does not let this server in (" + head.code() + "): " + text);
    }
    String reason =
        switch (head.code()) {
          case 400 -> "BadRequest";
          case 404 -> "NotFound";
          default -> "InternalError";
        };
    return new ApiException(Status.of(head.code(), reason, text));
  }

  private void pass(HttpClientConnection.Head head, ProxiedLinks links) throws IOException {
    exchange.mayBeSilent();
    exchange.setStatus(head.code());
    String coding = head.header("Content-Encoding").toLowerCase(Locale.ROOT);
    boolean page =
        !links.isNone()
            && head.header("Content-Type").toLowerCase(Locale.ROOT).startsWith("text/html")
            && (coding.isEmpty() || coding.equals("identity") || coding.equals("gzip"));
    for (Map.Entry<String, String> header : head.headers()) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      if (isHopByHop(name) || isDropped(name) || (page && name.equals("content-length"))) {
        continue;
      }
      if (name.equals("date")) {
        exchange.setHeader(header.getKey(), header.getValue()); // this server has set its own
      } else {
        exchange.addHeader(
            header.getKey(),
            name.equals("location") ? links.rewrite(header.getValue()) : header.getValue());
      }
    }
    try (InputStream body = peer.body();
        OutputStream out = exchange.output()) {
      out.flush();
      if (!page) {
        copy(body, out);
      } else if (coding.equals("gzip")) {
        unzipped(body, out, links);
      } else {
        new HtmlLinkRewriter(links).copy(body, out);
      }
    }
  }

  /// Whom a page lets in from other origins is said by this server, whose origin it then has.
  private static boolean isDropped(String lowerCaseName) {
    return lowerCaseName.startsWith("access-control-allow-");
  }

  private static void unzipped(InputStream body, OutputStream out, ProxiedLinks links)
      throws IOException {
    PushbackInputStream zipped = new PushbackInputStream(body);
    int first = zipped.read();
    if (first < 0) {
      return; // an answer to HEAD, or to what has not changed
    }
    zipped.unread(first);
    try (GZIPInputStream page = new GZIPInputStream(zipped, BUFFER);
        GZIPOutputStream again = new GZIPOutputStream(out, BUFFER, true)) {
      new HtmlLinkRewriter(links).copy(page, again);
    }
  }

  private void switchProtocols(HttpClientConnection.Head head) {
    for (Map.Entry<String, String> header : head.headers()) {
      exchange.setHeader(header.getKey(), header.getValue());
    }
    exchange.upgradeRaw(this::join);
  }

  private void join(InputStream in, OutputStream out) throws IOException, InterruptedException {
    try (peer) {
      Thread there =
          Tasks.start(
              "proxied-connection",
              () -> {
                try {
                  copy(in, peer.output());
                  peer.shutdownOutput();
                } catch (IOException _) {
                  peer.close();
                }
              });
      try {
        copy(peer.rest(), out);
        out.close();
        there.join(FAREWELL);
      } finally {
        in.close();
      }
    }
  }

  private static void copy(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
      to.write(buffer, 0, count);
      to.flush();
    }
  }
}
