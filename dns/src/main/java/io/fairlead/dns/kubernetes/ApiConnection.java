package io.fairlead.dns.kubernetes;

import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.kubeconfig.InClusterConfig;
import io.fairlead.client.kubeconfig.Kubeconfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.http.tls.PemParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;

/// Opens connections to API servers as the options say: a plain socket for each watch. A few
/// watches that last for minutes gain nothing from HTTP/2, whose client is a tenth of all classes.
final class ApiConnection {
  private static final String USER_AGENT = "fairlead-dns";

  private ApiConnection() {}

  /// IllegalArgumentException or IllegalStateException when that leads nowhere; the server itself
  /// is not asked yet.
  static Client open(ApiOptions options) {
    return new Client(new SocketTransport(connection(options), USER_AGENT));
  }

  private static ClientConfig connection(ApiOptions options) {
    if (!options.kubeconfig().isEmpty()) {
      Kubeconfig file = Kubeconfig.read(Path.of(options.kubeconfig()));
      return options.context().isEmpty() ? file.connection() : file.connection(options.context());
    }
    if (!options.endpoint().isEmpty()) {
      URI server = URI.create(options.endpoint());
      return ClientConfig.of(server, trust(options), identity(options));
    }
    return InClusterConfig.detect(System.getenv(), InClusterConfig.DIRECTORY)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "not running in a pod, and neither kubeconfig nor endpoint is set"));
  }

  private static Trust trust(ApiOptions options) {
    return options.authority().isEmpty()
        ? new Trust.SystemRoots()
        : new Trust.Certificates(certificates(options.authority()));
  }

  private static ClientIdentity identity(ApiOptions options) {
    if (options.certificate().isEmpty()) {
      return new ClientIdentity.Anonymous();
    }
    try {
      return new ClientIdentity.ClientCertificate(
          certificates(options.certificate()), PemParser.privateKey(read(options.key())));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no usable key in " + options.key(), e);
    }
  }

  private static List<X509Certificate> certificates(String file) {
    try {
      return PemParser.certificates(read(file));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no usable certificate in " + file, e);
    }
  }

  private static byte[] read(String file) {
    try {
      return Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
