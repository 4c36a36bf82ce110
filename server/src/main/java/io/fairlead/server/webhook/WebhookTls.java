package io.fairlead.server.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.http.tls.PemParser;
import io.fairlead.http.tls.TlsPolicy;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;

/// The TLS contexts by the CAs they trust, the last used ones kept: a context remembers sessions,
/// so that the next connection to the same webhook is made faster. Safe for many threads.
final class WebhookTls {
  private static final int MOST = 64;

  // Guarded by itself.
  private final Map<String, SSLContext> contexts = new LinkedHashMap<>(16, 0.75f, true);

  /// @param caBundle PEM; empty for the CAs of this machine
  /// @throws GeneralSecurityException when there is no certificate in it
  SSLContext trusting(String caBundle) throws GeneralSecurityException {
    synchronized (contexts) {
      SSLContext known = contexts.get(caBundle);
      if (known != null) {
        return known;
      }
    }
    SSLContext made =
        TlsPolicy.context(
            null,
            caBundle.isEmpty()
                ? null
                : TlsPolicy.trusting(PemParser.certificates(caBundle.getBytes(ISO_8859_1))));
    synchronized (contexts) {
      contexts.put(caBundle, made);
      if (contexts.size() > MOST) {
        contexts.remove(contexts.keySet().iterator().next());
      }
    }
    return made;
  }
}
