package io.fairlead.app.instance;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/// Asks a server how it is.
///
/// How it works: one `GET /readyz` in HTTP/1.1 on a TLS socket, believing only the instance's own
/// CA. `java.net.http` would take twice as long to start, and this is a question asked by short
/// commands. Health needs no credentials.
public final class Health {
  private static final int TIMEOUT_MILLIS = 3000;

  /// What came back.
  ///
  /// @param reached whether there was an HTTP answer
  /// @param ready whether it was 200
  /// @param detail the first line that says what is wrong, or the failure to reach it
  public record Answer(boolean reached, boolean ready, String detail) {}

  private Health() {}

  public static Answer ask(String address, int port, Path certificateAuthority) {
    String host = address.equals("0.0.0.0") || address.equals("::") ? "127.0.0.1" : address;
    try (SSLSocket socket =
        (SSLSocket) trusting(certificateAuthority).getSocketFactory().createSocket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      OutputStream request = socket.getOutputStream();
      request.write(
          ("GET /readyz?verbose HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      request.flush();
      return answer(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException | GeneralSecurityException e) {
      return new Answer(false, false, String.valueOf(e.getMessage()));
    }
  }

  private static Answer answer(String response) {
    boolean ready = response.startsWith("HTTP/1.1 200");
    String failed =
        response
            .lines()
            .filter(line -> line.startsWith("[-]"))
            .findFirst()
            .orElse(response.lines().findFirst().orElse("no answer"));
    return new Answer(response.startsWith("HTTP/"), ready, ready ? "" : failed);
  }

  private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    int number = 0;
    for (Certificate certificate :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(authority)))) {
      trusted.setCertificateEntry("ca" + number++, certificate);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
