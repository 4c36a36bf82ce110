package io.fairlead.bench.endtoend;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// One connection of a client that asks for a pod's name over HTTP. Opened by a thread of the
/// client's namespace.
final class HostnameConnection implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final byte[] QUESTION =
      "GET / HTTP/1.1\r\nHost: web\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Socket socket;
  private final InputStream in;

  HostnameConnection(InetSocketAddress to) throws IOException {
    socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(to, PATIENCE_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /// The connection ended before a byte of the answer came: the server had closed it, and a client
  /// that keeps connections asks again on a new one (RFC 9112, section 9.3.1).
  static final class Closed extends IOException {
    private static final long serialVersionUID = 1;

    Closed(String message) {
      super(message);
    }
  }

  /// Asks and reads the whole answer.
  String ask() throws IOException {
    int first;
    try {
      socket.getOutputStream().write(QUESTION);
      first = in.read();
    } catch (java.net.SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      throw new Closed("closed: " + e.getMessage());
    }
    if (first < 0) {
      throw new Closed("closed");
    }
    String status = (char) first + line();
    int length = -1;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring("content-length:".length()).strip());
      }
    }
    if (!status.startsWith("HTTP/1.1 200") || length < 0) {
      throw new IOException("a wrong answer: " + status);
    }
    byte[] body = in.readNBytes(length);
    if (body.length != length) {
      throw new IOException("cut off in the middle of its answer");
    }
    return new String(body, StandardCharsets.UTF_8).strip();
  }

  private String line() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("cut off in the head of its answer");
      }
      if (next != '\r') {
        text.append((char) next);
      }
    }
    return text.toString();
  }

  /// Ends the connection at once: a time of waiting for each would use up the ports.
  @Override
  public void close() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException _) {
      // It is gone.
    }
  }
}
