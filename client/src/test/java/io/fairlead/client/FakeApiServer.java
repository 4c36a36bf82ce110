package io.fairlead.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.api.json.Json;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.tls.Identity;
import io.fairlead.client.tls.Pem;
import io.fairlead.client.tls.TestFiles;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.Answer;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/// The fake behind a real TLS socket that demands a client certificate.
final class FakeApiServer implements AutoCloseable {
  final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final FakeApi api;
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  FakeApiServer(FakeApi api) throws IOException, GeneralSecurityException {
    this.api = api;
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    SSLContext context = TlsContexts.of(new Trust.Certificates(clientRoots()), serverIdentity());
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters tls = getSSLContext().getDefaultSSLParameters();
            tls.setNeedClientAuth(true);
            parameters.setSSLParameters(tls);
          }
        });
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI uri() {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  Connection connection() throws GeneralSecurityException {
    return Connection.of(
        uri(),
        new Trust.Certificates(Pem.certificates(TestFiles.read("ec-certificate.pem"))),
        new Identity.ClientCertificate(
            clientRoots(), Pem.privateKey(TestFiles.read("rsa-pkcs1.pem"))));
  }

  private static List<X509Certificate> clientRoots() throws GeneralSecurityException {
    return Pem.certificates(TestFiles.read("rsa-certificate.pem"));
  }

  private static Identity serverIdentity() throws GeneralSecurityException {
    return new Identity.ClientCertificate(
        Pem.certificates(TestFiles.read("ec-certificate.pem")),
        Pem.privateKey(TestFiles.read("ec-sec1.pem")));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      authorizations.add(
          Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")).orElse(""));
      byte[] body = exchange.getRequestBody().readAllBytes();
      Request request =
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getRawPath(),
              query(exchange.getRequestURI().getRawQuery()),
              Request.JSON,
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type")).orElse(""),
              body.length == 0 ? null : Json.parse(body),
              Duration.ofMinutes(1));
      if ("true".equals(request.query().get("watch"))) {
        stream(exchange, api.stream(request));
      } else {
        Answer answer = api.send(request);
        byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.code(), bytes.length);
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  private static void stream(HttpExchange exchange, LineStream lines) throws IOException {
    try (lines) {
      exchange.sendResponseHeaders(lines.code(), 0);
      try (OutputStream out = exchange.getResponseBody()) {
        out.flush();
        for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
          out.write(line.get());
          out.write('\n');
          out.flush();
        }
      }
    } catch (ConnectionException _) {
      // The fake was closed under the watch: leave the answer unfinished.
    }
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    if (raw != null) {
      for (String pair : raw.split("&")) {
        int equal = pair.indexOf('=');
        query.put(
            pair.substring(0, equal),
            URLDecoder.decode(pair.substring(equal + 1), StandardCharsets.UTF_8));
      }
    }
    return query;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
