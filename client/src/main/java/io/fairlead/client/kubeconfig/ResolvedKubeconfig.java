package io.fairlead.client.kubeconfig;

import io.fairlead.api.json.Json;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.kubeconfig.Kubeconfig.Located;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.http.tls.PemParser;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One cluster entry and one user entry, turned into a connection.
///
/// @param user null for a context without a user
record ResolvedKubeconfig(
    String clusterName, Located cluster, String userName, @Nullable Located user) {
  /// What a user entry may hold that we do not act on: better refused than sent under another
  /// identity.
  private static final List<String> UNSUPPORTED =
      List.of("exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups");

  ClientConfig connection(String namespace) {
    String server = Json.textOr(cluster.body(), "", "server");
    if (server.isEmpty()) {
      throw unusableCluster("it has no server address", null);
    }
    if (!Json.textOr(cluster.body(), "", "proxy-url").isEmpty()) {
      throw unusableCluster("proxy-url is not supported", null);
    }
    Optional<String> serverName = Optional.ofNullable(Json.text(cluster.body(), "tls-server-name"));
    try {
      return new ClientConfig(new URI(server), trust(), serverName, identity(), namespace);
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw unusableCluster("server \"" + server + "\" is no http or https address", e);
    }
  }

  private Trust trust() {
    if (cluster.body().path("insecure-skip-tls-verify").asBoolean(false)) {
      return new Trust.Anyone();
    }
    byte[] pem;
    try {
      pem = dataOrFile(cluster, "certificate-authority");
      return pem == null
          ? new Trust.SystemRoots()
          : new Trust.Certificates(PemParser.certificates(pem));
    } catch (IOException e) {
      throw unusableCluster("certificate-authority: " + e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw unusableCluster("certificate-authority: " + e.getMessage(), e);
    }
  }

  private ClientIdentity identity() {
    if (user == null) {
      return new ClientIdentity.Anonymous();
    }
    for (String field : UNSUPPORTED) {
      if (user.body().hasNonNull(field)) {
        throw unusableUser(field + " is not supported", null);
      }
    }
    String tokenFile = Json.textOr(user.body(), "", "tokenFile");
    if (!tokenFile.isEmpty()) {
      return new ClientIdentity.TokenFile(user.directory().resolve(tokenFile));
    }
    String token = Json.textOr(user.body(), "", "token");
    if (!token.isEmpty()) {
      return new ClientIdentity.Token(token);
    }
    try {
      byte[] certificate = dataOrFile(user, "client-certificate");
      byte[] key = dataOrFile(user, "client-key");
      if (certificate == null && key == null) {
        return new ClientIdentity.Anonymous();
      }
      if (certificate == null || key == null) {
        throw unusableUser(
            certificate == null
                ? "client-key stands without client-certificate"
                : "client-certificate stands without client-key",
            null);
      }
      return new ClientIdentity.ClientCertificate(
          PemParser.certificates(certificate), PemParser.privateKey(key));
    } catch (IOException | GeneralSecurityException e) {
      throw unusableUser(String.valueOf(e.getMessage()), e);
    }
  }

  /// The bytes of `key-data`, else of the file `key` names; null when neither is set. As in kubectl
  /// the data wins.
  private static byte @Nullable [] dataOrFile(Located entry, String key) throws IOException {
    String data = Json.textOr(entry.body(), "", key + "-data");
    if (!data.isEmpty()) {
      try {
        return Base64.getMimeDecoder().decode(data);
      } catch (IllegalArgumentException e) {
        throw new IOException(key + "-data is not base64", e);
      }
    }
    String name = Json.textOr(entry.body(), "", key);
    if (name.isEmpty()) {
      return null;
    }
    Path file = entry.directory().resolve(name);
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IOException("cannot read " + file + " (" + KubeconfigText.reason(e) + ")", e);
    }
  }

  private KubeconfigException unusableCluster(String why, @Nullable Throwable cause) {
    return unusable("cluster \"" + clusterName + "\" is not usable", why, cause);
  }

  private KubeconfigException unusableUser(String why, @Nullable Throwable cause) {
    return unusable("user \"" + userName + "\" is not usable", why, cause);
  }

  private static KubeconfigException unusable(String what, String why, @Nullable Throwable cause) {
    String next = "Correct the kubeconfig, or choose another context with --context";
    return cause == null
        ? new KubeconfigException(what, why, next)
        : new KubeconfigException(what, why, next, cause);
  }
}
