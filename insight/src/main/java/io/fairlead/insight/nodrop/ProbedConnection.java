package io.fairlead.insight.nodrop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One connection of the prober. Owned by its thread.
final class ProbedConnection {
  private static final int MOST_READ = 16 * 1024;

  /// What is to be seen when a connection can be read.
  enum Reading {
    /// More is to come.
    MORE,
    /// The answer is whole.
    ANSWERED,
    /// The other end closed in the middle of an answer, or before it.
    CUT,
    /// The other end closed, and nothing was asked of it.
    CLOSED
  }

  final SocketChannel channel;
  final boolean kept;
  private final StringBuilder answer = new StringBuilder();
  private boolean established;
  private boolean asked;
  private long since;
  private String endpoint = "";
  private @Nullable InetSocketAddress local;

  ProbedConnection(SocketChannel channel, boolean kept, long now) {
    this.channel = channel;
    this.kept = kept;
    this.since = now;
  }

  boolean isEstablished() {
    return established;
  }

  boolean isWaiting() {
    return !established || asked;
  }

  /// Since when it has waited, or been quiet.
  long since() {
    return since;
  }

  void bound(SocketAddress address) {
    local = address instanceof InetSocketAddress known ? known : null;
  }

  /// Where it begins; empty when it has no port.
  Optional<InetSocketAddress> local() {
    return Optional.ofNullable(local);
  }

  String endpoint() {
    return endpoint;
  }

  void connected(long now) {
    established = true;
    since = now;
  }

  void sentTo(String place) {
    endpoint = place;
  }

  /// Sends one request.
  void ask(String path, InetSocketAddress front, long now) throws IOException {
    String request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: "
            + front.getHostString()
            + "\r\nConnection: "
            + (kept ? "keep-alive" : "close")
            + "\r\n\r\n";
    ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1));
    // A request this small fits into an empty send buffer.
    channel.write(bytes);
    answer.setLength(0);
    asked = true;
    since = now;
  }

  /// Reads what is there.
  Reading read(ByteBuffer buffer, long now) throws IOException {
    buffer.clear();
    int count = channel.read(buffer);
    while (count > 0) {
      if (answer.length() < MOST_READ) {
        answer.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
      }
      buffer.clear();
      count = channel.read(buffer);
    }
    boolean ended = count < 0;
    if (asked && isWhole(ended)) {
      asked = false;
      since = now;
      return ended && kept ? Reading.CLOSED : Reading.ANSWERED;
    }
    if (!ended) {
      return Reading.MORE;
    }
    return asked ? Reading.CUT : Reading.CLOSED;
  }

  /// Whether the answer is complete: by its length, its last chunk, or the end of the connection.
  private boolean isWhole(boolean ended) {
    int blank = answer.indexOf("\r\n\r\n");
    if (blank < 0 || !answer.substring(0, 5).equals("HTTP/")) {
      return false;
    }
    String head = answer.substring(0, blank).toLowerCase(java.util.Locale.ROOT);
    int length = head.indexOf("\r\ncontent-length:");
    if (length >= 0) {
      int end = head.indexOf("\r\n", length + 2);
      String number = head.substring(length + 17, end < 0 ? head.length() : end).strip();
      long wanted = number.matches("[0-9]{1,9}") ? Long.parseLong(number) : 0;
      return answer.length() - blank - 4 >= Math.min(wanted, MOST_READ - blank - 4);
    }
    return head.contains("transfer-encoding: chunked")
        ? answer.indexOf("\r\n0\r\n\r\n", blank) >= 0
        : ended;
  }
}
