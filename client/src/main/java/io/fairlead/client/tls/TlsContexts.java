package io.fairlead.client.tls;

import io.fairlead.http.tls.TlsPolicy;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// Makes the TLS context of a connection out of whom it trusts and who it is.
public final class TlsContexts {
  private TlsContexts() {}

  public static SSLContext of(Trust trust, ClientIdentity identity)
      throws GeneralSecurityException {
    return TlsPolicy.context(keyManagers(identity), trustManagers(trust));
  }

  private static KeyManager @Nullable [] keyManagers(ClientIdentity identity)
      throws GeneralSecurityException {
    return switch (identity) {
      case ClientIdentity.ClientCertificate(var chain, var key) -> TlsPolicy.showing(chain, key);
      case ClientIdentity.ActingAs acting -> keyManagers(acting.own());
      default -> null;
    };
  }

  private static TrustManager @Nullable [] trustManagers(Trust trust)
      throws GeneralSecurityException {
    return switch (trust) {
      case Trust.SystemRoots() -> null;
      case Trust.Anyone() -> TlsPolicy.trustingAnyone();
      case Trust.Certificates(var roots) -> TlsPolicy.trusting(roots);
    };
  }
}
