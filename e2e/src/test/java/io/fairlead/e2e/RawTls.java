package io.fairlead.e2e;

import io.fairlead.client.testing.RawResponseReader;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLSocket;

/// One TLS connection to a server on loopback, spoken to in plain HTTP/1.1: for tests that must
/// know which connection they use. Looks at the server's certificate instead of judging it.
final class RawTls implements AutoCloseable {
  private final SSLSocket socket;
  private final RawResponseReader answers;

  /// As an anonymous client.
  RawTls(int port) throws IOException {
    this(port, new ClientIdentity.Anonymous());
  }

  RawTls(int port, ClientIdentity identity) throws IOException {
    try {
      socket =
          (SSLSocket)
              TlsContexts.of(new Trust.Anyone(), identity)
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), port);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    socket.setSoTimeout(60_000);
    answers = new RawResponseReader(socket.getInputStream());
  }

  /// The subject of the certificate the server showed on this connection.
  String shown() throws IOException {
    X509Certificate first = (X509Certificate) socket.getSession().getPeerCertificates()[0];
    return first.getSubjectX500Principal().getName();
  }

  /// Sends a request and reads its whole answer; returns the code.
  int call(String method, String path, String token, String body) throws IOException {
    send(method, path, token, body.length(), body);
    int code = answers.status();
    answers.body();
    return code;
  }

  /// Sends a request whose answer has no end; its lines are read by [#awaitLine].
  void stream(String path, String token) throws IOException {
    send("GET", path, token, 0, "");
    answers.stream();
  }

  /// Sends only the beginning of a request.
  ///
  /// @param announced how long the body is said to be
  void begin(String method, String path, String token, int announced) throws IOException {
    send(method, path, token, announced, "{");
  }

  /// Reads lines until one contains that text.
  void awaitLine(String text) throws IOException {
    while (!answers.line().contains(text)) {}
  }

  /// Reads until the server ends the stream in order.
  void awaitEnd() throws IOException {
    while (answers.chunk() > 0) {
      answers.line();
      answers.line();
    }
  }

  private void send(String method, String path, String token, int length, String body)
      throws IOException {
    String authorization = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
    String request =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + authorization
            + "Content-Length: "
            + length
            + "\r\n\r\n"
            + body;
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
