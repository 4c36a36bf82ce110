package io.fairlead.app.review;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.http.tls.PemParser;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;

/// The CA of client certificates that API servers publish for servers beside them.
public final class PublishedClientCa {
  private static final ObjectKey PUBLISHED =
      new ObjectKey("kube-system", "extension-apiserver-authentication");

  private PublishedClientCa() {}

  /// None when there is none, or we may not read it; tokens are the only credentials then.
  public static List<X509Certificate> of(Client client) {
    try {
      String pem =
          client
              .find(ResourceType.CONFIG_MAPS, PUBLISHED)
              .map(map -> Json.textOr(map, "", "data", "client-ca-file"))
              .orElse("");
      return pem.isEmpty()
          ? List.of()
          : List.copyOf(PemParser.certificates(pem.getBytes(StandardCharsets.UTF_8)));
    } catch (ApiException | GeneralSecurityException _) {
      return List.of();
    }
  }
}
