package io.fairlead.client;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.TestFiles;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import io.fairlead.http.tls.PemParser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/// The fake behind a real TLS socket that demands a client certificate.
final class FakeApiServer implements AutoCloseable {
  final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final HttpsServer server;
  private final TransportHttpServer serving;

  FakeApiServer(FakeApi api) throws IOException, GeneralSecurityException {
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
    serving =
        new TransportHttpServer(
            api,
            server,
            headers ->
                authorizations.add(
                    Optional.ofNullable(headers.getFirst("Authorization")).orElse("")));
  }

  URI uri() {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  ClientConfig connection() throws GeneralSecurityException {
    return ClientConfig.of(
        uri(),
        new Trust.Certificates(PemParser.certificates(TestFiles.read("ec-certificate.pem"))),
        new ClientIdentity.ClientCertificate(
            clientRoots(), PemParser.privateKey(TestFiles.read("rsa-pkcs1.pem"))));
  }

  private static List<X509Certificate> clientRoots() throws GeneralSecurityException {
    return PemParser.certificates(TestFiles.read("rsa-certificate.pem"));
  }

  private static ClientIdentity serverIdentity() throws GeneralSecurityException {
    return new ClientIdentity.ClientCertificate(
        PemParser.certificates(TestFiles.read("ec-certificate.pem")),
        PemParser.privateKey(TestFiles.read("ec-sec1.pem")));
  }

  @Override
  public void close() {
    serving.close();
  }
}
