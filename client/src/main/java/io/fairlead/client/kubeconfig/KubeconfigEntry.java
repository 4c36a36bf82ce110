package io.fairlead.client.kubeconfig;

import io.fairlead.api.json.Json;
import io.fairlead.http.tls.PemParser;
import io.fairlead.http.tls.PemWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/// What a cluster of ours writes into a kubeconfig: a cluster, a user and a context of one name,
/// with all certificates inside so that the file stands alone.
///
/// @param name the name of all three, `fairlead`
/// @param certificateAuthority PEM text of the CA
/// @param clientCertificate PEM text
/// @param clientKey PEM text
public record KubeconfigEntry(
    String name,
    URI server,
    String certificateAuthority,
    String clientCertificate,
    String clientKey) {

  /// The administrator of a cluster of ours.
  ///
  /// @param pki the directory with the certificates
  /// @throws IOException when one of the files cannot be read
  public static KubeconfigEntry ofAdministrator(String name, URI server, Path pki)
      throws IOException {
    byte[] key = Files.readAllBytes(pki.resolve("admin.key"));
    byte[] certificate = Files.readAllBytes(pki.resolve("admin.crt"));
    try {
      return new KubeconfigEntry(
          name,
          server,
          Files.readString(pki.resolve("ca.crt")),
          new String(certificate, StandardCharsets.UTF_8),
          // The file may have it in a form that not every client reads.
          PemWriter.privateKey(
              PemParser.privateKey(key),
              PemParser.certificates(certificate).getFirst().getPublicKey()));
    } catch (GeneralSecurityException e) {
      throw new IOException("admin.key: " + e.getMessage(), e);
    }
  }

  ObjectNode cluster() {
    return Json.object()
        .put("certificate-authority-data", base64(certificateAuthority))
        .put("server", server.toString());
  }

  ObjectNode user() {
    return Json.object()
        .put("client-certificate-data", base64(clientCertificate))
        .put("client-key-data", base64(clientKey));
  }

  ObjectNode context() {
    return Json.object().put("cluster", name).put("user", name);
  }

  private static String base64(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public String toString() {
    return "KubeconfigEntry[" + name + " at " + server + "]";
  }
}
