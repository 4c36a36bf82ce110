package io.fairlead.bench.api;

import io.fairlead.client.testing.RawResponseReader;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// One kept HTTP/1.1 connection over TLS that spends as little as it can, because it shares the
/// machine with what it measures. Trusts every server: both ends are on loopback and ours.
///
/// Used by one thread.
final class RawHttpsConnection implements Closeable {
  record Answer(int status, byte[] body) {}

  static final SSLContext TRUSTING = trusting();

  private final Socket socket;
  private final RawResponseReader answers;
  private final String headers;

  private RawHttpsConnection(Socket socket, String headers) throws IOException {
    this.socket = socket;
    this.answers = new RawResponseReader(socket.getInputStream());
    this.headers = headers;
  }

  static RawHttpsConnection open(ApiServerUnderTest target) throws IOException {
    SSLSocket socket =
        (SSLSocket) TRUSTING.getSocketFactory().createSocket("127.0.0.1", target.port());
    socket.setTcpNoDelay(true);
    return new RawHttpsConnection(socket, headers(target));
  }

  /// What follows the path in every request, but for its length.
  static String headers(ApiServerUnderTest target) {
    return " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
        + "Content-Type: application/json\r\nAuthorization: Bearer "
        + target.token()
        + "\r\n";
  }

  /// Sends a request and reads the whole answer.
  Answer send(String method, String path, String body) throws IOException {
    request(method, path, body);
    int status = answers.status();
    return new Answer(status, answers.body());
  }

  /// Sends a watch and returns when its headers are there; then [#line] reads events.
  void watch(String path) throws IOException {
    request("GET", path, "");
    answers.stream();
  }

  private void request(String method, String path, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String head = method + " " + path + headers + "Content-Length: " + bytes.length + "\r\n\r\n";
    byte[] request = new byte[head.length() + bytes.length];
    System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, request, 0, head.length());
    System.arraycopy(bytes, 0, request, head.length(), bytes.length);
    socket.getOutputStream().write(request);
  }

  /// The next line. In a watch that is an event, a chunk's size or the empty line after a chunk.
  String line() throws IOException {
    return answers.line();
  }

  /// Reads what is there of a watch, at least one byte; -1 at its end.
  int read(byte[] into, int offset, int length) throws IOException {
    return answers.read(into, offset, length);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static SSLContext trusting() {
    try {
      return TlsContexts.of(new Trust.Anyone(), new ClientIdentity.Anonymous());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
