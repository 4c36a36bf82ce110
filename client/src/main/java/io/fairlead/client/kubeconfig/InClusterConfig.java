package io.fairlead.client.kubeconfig;

import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.http.tls.PemParser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The connection of a program that runs in a pod: the service account files every pod is given.
public final class InClusterConfig {
  /// Where a pod finds them.
  public static final Path DIRECTORY = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private InClusterConfig() {}

  /// The connection, or empty when this process is not in a pod. Throws when it is, but a file is
  /// damaged.
  public static Optional<ClientConfig> detect(Map<String, String> environment, Path directory) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "");
    Path token = directory.resolve("token");
    if (host.isEmpty() || port.isEmpty() || !Files.exists(token)) {
      return Optional.empty();
    }
    String authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    try {
      Path namespace = directory.resolve("namespace");
      return Optional.of(
          new ClientConfig(
              URI.create("https://" + authority),
              new Trust.Certificates(
                  List.copyOf(
                      PemParser.certificates(Files.readAllBytes(directory.resolve("ca.crt"))))),
              Optional.empty(),
              new ClientIdentity.TokenFile(token),
              Files.exists(namespace) ? Files.readString(namespace).strip() : "default"));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new KubeconfigException(
          "the service account of this pod is not usable",
          String.valueOf(e.getMessage()),
          "Check the files in " + directory,
          e);
    }
  }
}
