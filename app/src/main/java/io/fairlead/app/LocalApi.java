package io.fairlead.app;

import io.fairlead.app.instance.ApiUrl;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.http.tls.PemParser;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.pki.PkiOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;

/// The API server of this process as its parts see it: where it listens, like any other client,
/// each with a certificate of its own.
record LocalApi(Options options, int port) {
  static LocalApi of(Options options, ComponentFactory.Server server) {
    return new LocalApi(options, server.port());
  }

  URI address() {
    return URI.create(ApiUrl.of(options.server().bindAddress(), port));
  }

  /// The keys of the cluster.
  Pki pki() {
    return Pki.open(
        options.server().pki(), PkiOptions.of(options.server(), InstantSource.system()));
  }

  /// With a certificate that the server itself made when it started.
  ///
  /// @param program how it calls itself
  Client client(String name, String program) throws IOException, GeneralSecurityException {
    return client(own(name), program);
  }

  private ClientIdentity own(String name) throws IOException, GeneralSecurityException {
    Path pki = options.server().pki();
    return new ClientIdentity.ClientCertificate(
        PemParser.certificates(Files.readAllBytes(pki.resolve(name + ".crt"))),
        PemParser.privateKey(Files.readAllBytes(pki.resolve(name + ".key"))));
  }

  /// @param program how it calls itself
  Client client(io.fairlead.server.pki.CertificateWithKey identity, String program)
      throws IOException, GeneralSecurityException {
    return client(new ClientIdentity.ClientCertificate(identity.chain(), identity.key()), program);
  }

  private Client client(ClientIdentity identity, String program)
      throws IOException, GeneralSecurityException {
    return new Client(new HttpTransport(config(identity), program));
  }

  private ClientConfig config(ClientIdentity identity)
      throws IOException, GeneralSecurityException {
    Trust trust =
        new Trust.Certificates(
            PemParser.certificates(Files.readAllBytes(options.server().pki().resolve("ca.crt"))));
    return ClientConfig.of(address(), trust, identity);
  }

  /// How to reach it as an administrator.
  ClientConfig administrator() throws IOException, GeneralSecurityException {
    return config(own("admin"));
  }
}
