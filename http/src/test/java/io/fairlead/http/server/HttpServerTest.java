package io.fairlead.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.server.HttpServerOptions.ClientCertificates;
import io.fairlead.http.tls.PemParser;
import io.fairlead.http.tls.TlsPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

class HttpServerTest {
  private static final String LOOPBACK = "127.0.0.1";

  private static byte[] file(String name) throws IOException {
    try (InputStream in =
        HttpServerTest.class.getResourceAsStream("/io/fairlead/http/tls/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  private static SSLContext showing(String certificate, String key)
      throws IOException, GeneralSecurityException {
    return TlsPolicy.context(
        TlsPolicy.showing(
            PemParser.certificates(file(certificate)), PemParser.privateKey(file(key))),
        null);
  }

  private static SSLSocket connect(int port) throws IOException, GeneralSecurityException {
    return (SSLSocket)
        TlsPolicy.context(null, TlsPolicy.trustingAnyone())
            .getSocketFactory()
            .createSocket(LOOPBACK, port);
  }

  private static String get(Socket socket, String target) throws IOException {
    try (HttpClientConnection connection = new HttpClientConnection(socket)) {
      connection.send(
          "GET", target, List.of(Map.entry("Host", "x"), Map.entry("Connection", "close")));
      int code = connection.head().code();
      return code + " " + new String(connection.body().readAllBytes(), UTF_8);
    }
  }

  private static void answer(HttpServerExchange exchange) throws IOException {
    switch (exchange.path()) {
      case "/query" -> {
        byte[] text;
        try {
          text = exchange.query().text("a").getBytes(UTF_8);
        } catch (ApiException e) {
          exchange.setStatus(e.status().code());
          return;
        }
        exchange.setStatus(200);
        exchange.send(text, text.length);
      }
      case "/error" -> throw new AssertionError("a fault of a handler");
      case "/raw" -> {
        exchange.setHeader("Upgrade", "echo");
        exchange.setHeader("Connection", "Upgrade");
        exchange.upgradeRaw(
            (in, out) -> {
              in.transferTo(out);
              out.close();
            });
      }
      default -> exchange.setStatus(404);
    }
  }

  private static HttpServer plain() throws IOException {
    return HttpServer.start(LOOPBACK, 0, null, HttpServerTest::answer);
  }

  @Test
  void aHandlerDecidesOnABrokenQuery() throws Exception {
    try (HttpServer server = plain()) {
      assertThat(get(new Socket(LOOPBACK, server.port()), "/query?a=1%202")).isEqualTo("200 1 2");
      assertThat(get(new Socket(LOOPBACK, server.port()), "/query?a=%zz")).isEqualTo("400 ");
    }
  }

  @Test
  void anErrorOfAHandlerEndsItsRequestAndNoOther() throws Exception {
    try (HttpServer server = plain()) {
      assertThat(get(new Socket(LOOPBACK, server.port()), "/error")).startsWith("500 ");
      assertThat(get(new Socket(LOOPBACK, server.port()), "/query?a=1")).isEqualTo("200 1");
    }
  }

  /// Bytes that come together with the request are part of the other protocol, too.
  @Test
  void anUpgradedConnectionPassesBytesBothWays() throws Exception {
    try (HttpServer server = plain();
        HttpClientConnection connection =
            new HttpClientConnection(new Socket(LOOPBACK, server.port()))) {
      connection.send(
          "POST",
          "/raw",
          List.of(
              Map.entry("Host", "x"),
              Map.entry("Connection", "Upgrade"),
              Map.entry("Upgrade", "echo")));
      connection.output().write("early ".getBytes(UTF_8));
      assertThat(connection.head().code()).isEqualTo(101);
      assertThat(connection.head().header("upgrade")).isEqualTo("echo");
      connection.output().write("late".getBytes(UTF_8));
      connection.shutdownOutput();
      assertThat(new String(connection.rest().readAllBytes(), UTF_8)).isEqualTo("early late");
    }
  }

  @Test
  void plainHttpStaysOnLoopback() {
    assertThatThrownBy(() -> HttpServer.start("0.0.0.0", 0, null, HttpServerTest::answer))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNodesServerListensBeforeItAnswers() throws Exception {
    SSLContext tls = showing("ec-certificate.pem", "ec-sec1.pem");
    try (HttpServer server = HttpServer.of(HttpServerOptions.forNode(LOOPBACK, 0, tls))) {
      server.listen();
      try (Socket early = new Socket(LOOPBACK, server.port())) {
        server.start(HttpServerTest::answer);
        SSLSocket secured =
            (SSLSocket)
                TlsPolicy.context(null, TlsPolicy.trustingAnyone())
                    .getSocketFactory()
                    .createSocket(early, LOOPBACK, server.port(), true);
        assertThat(get(secured, "/query?a=1")).isEqualTo("200 1");
      }
    }
  }

  @Test
  void aServerThatNeverStartedGivesItsPortBack() throws Exception {
    SSLContext tls = showing("ec-certificate.pem", "ec-sec1.pem");
    HttpServer first = HttpServer.of(HttpServerOptions.forNode(LOOPBACK, 0, tls));
    first.listen();
    int port = first.port();
    first.close();
    try (HttpServer second = HttpServer.of(HttpServerOptions.forNode(LOOPBACK, port, tls))) {
      second.listen();
      assertThat(second.port()).isEqualTo(port);
    }
  }

  /// The JDK allows this suite; the policy does not.
  @Test
  void aClientWithAnOldCipherOnlyIsRefused() throws Exception {
    SSLContext tls = showing("ec-certificate.pem", "ec-sec1.pem");
    try (HttpServer server = HttpServer.start(LOOPBACK, 0, tls, HttpServerTest::answer);
        SSLSocket socket = connect(server.port())) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"});
      assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void aRenewedCertificateCountsForTheNextConnection() throws Exception {
    AtomicReference<SSLContext> tls =
        new AtomicReference<>(showing("ec-certificate.pem", "ec-sec1.pem"));
    HttpServerOptions options =
        HttpServerOptions.forDns(
            LOOPBACK, 0, tls::get, ClientCertificates.NONE, Duration.ofSeconds(10));
    try (HttpServer server = HttpServer.of(options)) {
      server.start(HttpServerTest::answer);
      assertThat(shown(server.port())).isEqualTo("EC");
      tls.set(showing("rsa-certificate.pem", "rsa-pkcs1.pem"));
      assertThat(shown(server.port())).isEqualTo("RSA");
    }
  }

  private static String shown(int port) throws IOException, GeneralSecurityException {
    try (SSLSocket socket = connect(port)) {
      socket.startHandshake();
      X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return certificate.getPublicKey().getAlgorithm();
    }
  }
}
