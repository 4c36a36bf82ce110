package io.fairlead.bench.api;

import io.fairlead.client.tls.Identity;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// One kept HTTP/1.1 connection over TLS that spends as little as it can, because it shares the
/// machine with what it measures. Trusts every server: both ends are on loopback and ours.
///
/// Used by one thread.
final class Wire implements AutoCloseable {
  record Answer(int status, byte[] body) {}

  private static final SSLContext TRUSTING = trusting();

  private final Socket socket;
  private final InputStream in;
  private final String headers;

  private Wire(Socket socket, String headers) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), 8 << 10);
    this.headers = headers;
  }

  static Wire open(Target target) throws IOException {
    SSLSocket socket =
        (SSLSocket) TRUSTING.getSocketFactory().createSocket("127.0.0.1", target.port());
    socket.setTcpNoDelay(true);
    return new Wire(
        socket,
        " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
            + "Content-Type: application/json\r\nAuthorization: Bearer "
            + target.token()
            + "\r\n");
  }

  /// Sends a request and reads the whole answer.
  Answer send(String method, String path, String body) throws IOException {
    request(method, path, body);
    int status = status();
    return new Answer(status, body());
  }

  /// Sends a watch and returns when its headers are there; then [#line] reads events.
  void watch(String path) throws IOException {
    request("GET", path, "");
    int status = status();
    if (status != 200) {
      throw new IOException("watch: " + status + " " + new String(body(), StandardCharsets.UTF_8));
    }
    headers();
  }

  private void request(String method, String path, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head = method + " " + path + headers + "Content-Length: " + bytes.length + "\r\n\r\n";
    byte[] request = new byte[head.length() + bytes.length];
    System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, request, 0, head.length());
    System.arraycopy(bytes, 0, request, head.length(), bytes.length);
    socket.getOutputStream().write(request);
  }

  private int status() throws IOException {
    return Integer.parseInt(line().substring(9, 12));
  }

  /// Content length, or -1 for chunks.
  private int headers() throws IOException {
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).strip());
      } else if (lower.startsWith("transfer-encoding:") && lower.contains("chunked")) {
        length = -1;
      }
    }
    return length;
  }

  private byte[] body() throws IOException {
    int length = headers();
    if (length >= 0) {
      return in.readNBytes(length);
    }
    java.io.ByteArrayOutputStream whole = new java.io.ByteArrayOutputStream();
    while (true) {
      int chunk = Integer.parseInt(line(), 16);
      whole.write(in.readNBytes(chunk));
      line();
      if (chunk == 0) {
        return whole.toByteArray();
      }
    }
  }

  /// The next line. In a watch that is an event, a chunk's size or the empty line after a chunk.
  String line() throws IOException {
    java.io.ByteArrayOutputStream text = new java.io.ByteArrayOutputStream(128);
    int c = in.read();
    while (c != '\n') {
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (c != '\r') {
        text.write(c);
      }
      c = in.read();
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  /// Reads what is there of a watch, at least one byte; -1 at its end.
  int read(byte[] into, int offset, int length) throws IOException {
    return in.read(into, offset, length);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static SSLContext trusting() {
    try {
      return TlsContexts.of(new Trust.Anyone(), new Identity.Anonymous());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
