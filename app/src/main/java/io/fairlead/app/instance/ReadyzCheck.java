package io.fairlead.app.instance;

import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.tls.PemParser;
import io.fairlead.http.tls.TlsPolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocket;

/// Asks a server how it is.
///
/// How it works: one `GET /readyz` in HTTP/1.1 on a TLS socket, trusting only the instance's own
/// CA. `java.net.http` would take twice as long to start, and this is a question asked by short
/// commands. Health needs no credentials.
public final class ReadyzCheck {
  private static final int TIMEOUT_MILLIS = 3000;
  private static final int LARGEST = 64 << 10;
  private static final int OK = 200;

  /// What came back.
  ///
  /// @param reached whether there was an HTTP answer
  /// @param ready whether it was 200
  /// @param detail the first line that says what is wrong, or the failure to reach it
  public record Result(boolean reached, boolean ready, String detail) {}

  private ReadyzCheck() {}

  public static Result ask(String address, int port, Path certificateAuthority) {
    String host = address.equals("0.0.0.0") || address.equals("::") ? "127.0.0.1" : address;
    try (SSLSocket socket = socket(certificateAuthority)) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      HttpClientConnection server = new HttpClientConnection(socket);
      server.send(
          "GET",
          "/readyz?verbose",
          List.of(Map.entry("Host", host), Map.entry("Connection", "close")));
      boolean ready = server.head().code() == OK;
      return new Result(true, ready, ready ? "" : problem(server));
    } catch (IOException | GeneralSecurityException e) {
      return new Result(false, false, String.valueOf(e.getMessage()));
    }
  }

  private static SSLSocket socket(Path authority) throws IOException, GeneralSecurityException {
    SSLSocket socket =
        (SSLSocket)
            TlsPolicy.context(
                    null, TlsPolicy.trusting(PemParser.certificates(Files.readAllBytes(authority))))
                .getSocketFactory()
                .createSocket();
    TlsPolicy.restrict(socket);
    return socket;
  }

  /// The first check that failed, or the answer's first line.
  private static String problem(HttpClientConnection server) throws IOException {
    String body = new String(server.body().readNBytes(LARGEST), StandardCharsets.UTF_8);
    return body.lines()
        .filter(line -> line.startsWith("[-]"))
        .findFirst()
        .orElse(server.statusLine());
  }
}
