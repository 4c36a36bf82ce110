package io.fairlead.server.stream;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.http.Exchange;
import io.fairlead.server.http.HttpPeer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Passes a request on to somebody else, and the answer back. When the answer is 101 both
/// connections become one: bytes go through as they come, in both directions, until both sides are
/// done or one of them breaks. Nothing is kept but what is on its way.
final class Relay {
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

  private final Exchange exchange;
  private final HttpPeer peer;

  /// @param peer gets one request; it is closed when everything is over
  Relay(Exchange exchange, HttpPeer peer) {
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
    peer.send(method, target, headers);
  }

  /// Sends the client's body too, while the answer is waited for.
  ///
  /// @param length -1 when the client did not say; the head must say that it is chunked then
  void askWithBody(long length) {
    Thread.ofVirtual()
        .name("relayed body")
        .start(
            () -> {
              try (InputStream body = exchange.body()) {
                if (length < 0) {
                  peer.chunks(body);
                } else {
                  peer.body(body);
                }
              } catch (IOException _) {
                // The answer will tell, or its absence.
              }
            });
  }

  /// Waits for the answer and passes it on, to its end.
  ///
  /// @param change what to do with each header of an answer but those of the connection
  void answer(HeaderChange change) throws IOException {
    boolean handedOver = false;
    try {
      HttpPeer.Head head = peer.head();
      if (head.code() == 101) {
        switchProtocols(head);
        handedOver = true;
      } else {
        pass(head, change);
      }
    } finally {
      if (!handedOver) {
        peer.close();
      }
    }
  }

  /// Decides on a header of an answer.
  interface HeaderChange {
    /// As it is.
    HeaderChange NONE = (_, value) -> value;

    /// The value to pass on.
    String of(String name, String value);
  }

  /// The same for a node's answer: a refusal becomes a Status, and a node that does not believe us
  /// is our trouble, not the client's.
  void nodeAnswer(String node) throws IOException {
    boolean handedOver = false;
    try {
      HttpPeer.Head head = peer.head();
      if (head.code() == 101) {
        switchProtocols(head);
        handedOver = true;
      } else if (head.code() < 400) {
        pass(head, HeaderChange.NONE);
      } else if (head.header("Content-Type").startsWith("application/json") && !isOurs(head)) {
        pass(head, HeaderChange.NONE);
      } else {
        throw refused(node, head);
      }
    } finally {
      if (!handedOver) {
        peer.close();
      }
    }
  }

  private static boolean isOurs(HttpPeer.Head head) {
    return head.code() == 401
        || (head.code() == 403 && head.header("X-Accepted-Stream-Protocol-Versions").isEmpty());
  }

  private ApiException refused(String node, HttpPeer.Head head) throws IOException {
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

  private void pass(HttpPeer.Head head, HeaderChange change) throws IOException {
    exchange.mayBeSilent();
    exchange.setStatus(head.code());
    for (Map.Entry<String, String> header : head.headers()) {
      if (!isHopByHop(header.getKey())) {
        exchange.addHeader(header.getKey(), change.of(header.getKey(), header.getValue()));
      }
    }
    try (InputStream body = peer.body();
        OutputStream out = exchange.output()) {
      out.flush();
      copy(body, out);
    }
  }

  private void switchProtocols(HttpPeer.Head head) {
    for (Map.Entry<String, String> header : head.headers()) {
      exchange.setHeader(header.getKey(), header.getValue());
    }
    exchange.upgradeRaw(this::join);
  }

  private void join(InputStream in, OutputStream out) throws IOException, InterruptedException {
    try (peer) {
      Thread there =
          Thread.ofVirtual()
              .name("relay")
              .start(
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
