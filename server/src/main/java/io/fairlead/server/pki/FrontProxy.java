package io.fairlead.server.pki;

import io.fairlead.api.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/// Who this server is to aggregated API servers, and what it tells them so that they know it: who
/// shows a certificate of this CA speaks for the user in the headers.
///
/// @param client is shown to them
/// @param authorityPem the CA that vouches for it, and for nothing else
public record FrontProxy(CertificateWithKey client, String authorityPem) {
  public static final String NAME = "front-proxy-client";
  public static final String USER = "X-Remote-User";
  public static final String GROUP = "X-Remote-Group";
  public static final String EXTRA_PREFIX = "X-Remote-Extra-";

  /// The members of the ConfigMap `extension-apiserver-authentication` about it.
  public Map<String, String> published() {
    Map<String, String> data = new LinkedHashMap<>();
    data.put("requestheader-allowed-names", list(NAME));
    data.put("requestheader-client-ca-file", authorityPem);
    data.put("requestheader-extra-headers-prefix", list(EXTRA_PREFIX));
    data.put("requestheader-group-headers", list(GROUP));
    data.put("requestheader-username-headers", list(USER));
    return data;
  }

  private static String list(String one) {
    return Json.array().add(one).toString();
  }
}
