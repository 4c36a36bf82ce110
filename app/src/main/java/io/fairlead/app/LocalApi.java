package io.fairlead.app;

import io.fairlead.app.instance.ApiUrl;
import io.fairlead.client.Client;
import io.fairlead.client.Connection;
import io.fairlead.client.tls.Identity;
import io.fairlead.client.tls.Pem;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.HttpTransport;
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
  static LocalApi of(Options options, Assembly.Server server) {
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
    Path pki = options.server().pki();
    return client(
        new Identity.ClientCertificate(
            Pem.certificates(Files.readAllBytes(pki.resolve(name + ".crt"))),
            Pem.privateKey(Files.readAllBytes(pki.resolve(name + ".key")))),
        program);
  }

  /// @param program how it calls itself
  Client client(io.fairlead.server.pki.Identity identity, String program)
      throws IOException, GeneralSecurityException {
    return client(new Identity.ClientCertificate(identity.chain(), identity.key()), program);
  }

  private Client client(Identity identity, String program)
      throws IOException, GeneralSecurityException {
    Trust trust =
        new Trust.Certificates(
            Pem.certificates(Files.readAllBytes(options.server().pki().resolve("ca.crt"))));
    return new Client(new HttpTransport(Connection.of(address(), trust, identity), program));
  }
}
