package io.fairlead.client.kubeconfig;

import io.fairlead.api.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
