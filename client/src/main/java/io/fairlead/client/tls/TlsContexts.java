package io.fairlead.client.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Makes the TLS context of a connection out of whom it trusts and who it is.
public final class TlsContexts {
  private static final char[] NO_PASSWORD = new char[0];

  private TlsContexts() {}

  public static SSLContext of(Trust trust, Identity identity) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers(identity), trustManagers(trust), null);
    return context;
  }

  private static KeyManager @Nullable [] keyManagers(Identity identity)
      throws GeneralSecurityException {
    if (!(identity instanceof Identity.ClientCertificate(var chain, var key))) {
      return null;
    }
    KeyStore store = emptyStore();
    store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager @Nullable [] trustManagers(Trust trust)
      throws GeneralSecurityException {
    return switch (trust) {
      case Trust.SystemRoots() -> null;
      case Trust.Anyone() -> new TrustManager[] {new TrustingManager()};
      case Trust.Certificates(List<X509Certificate> roots) -> {
        KeyStore store = emptyStore();
        for (int i = 0; i < roots.size(); i++) {
          store.setCertificateEntry("root" + i, roots.get(i));
        }
        TrustManagerFactory factory =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        yield factory.getTrustManagers();
      }
    };
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException e) {
      throw new GeneralSecurityException("cannot make an empty key store", e);
    }
    return store;
  }

  /// Believes every server. The extended form also silences the check of the host name.
  private static final class TrustingManager extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
