package io.fairlead.http.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// What TLS means in this program, for every server and every client: TLS 1.3 or 1.2, with suites
/// that give forward secrecy and an authenticated cipher.
///
/// How it works: an [SSLContext] holds keys and roots but no versions, so the rule is put on each
/// socket or engine: [#restrict] for a socket, [#parameters] for `java.net.http`, and the server
/// wrapper asks [#protocols] and [#allows]. Clients that have no say in the age of their peer
/// (probes, upstream resolvers, `https:` names of the API's proxy) take the platform's defaults.
public final class TlsPolicy {
  private static final char[] NO_PASSWORD = new char[0];
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  private TlsPolicy() {}

  /// The versions, newest first, in the platform's words.
  public static String[] protocols() {
    return PROTOCOLS.toArray(new String[0]);
  }

  /// Whether a cipher suite may be used. Not: a key exchange without forward secrecy (`TLS_RSA_`),
  /// no encryption, and the digests of TLS 1.1 and before, which stand for CBC ciphers.
  public static boolean allows(String suite) {
    return !suite.startsWith("TLS_RSA_")
        && !suite.contains("_NULL_")
        && !suite.endsWith("_MD5")
        && !suite.endsWith("_SHA")
        && !suite.endsWith("_SHA1");
  }

  /// Those of the suites that may not be used, for libraries that want them named.
  public static String[] excluded(String[] suites) {
    List<String> excluded = new ArrayList<>();
    for (String suite : suites) {
      if (!allows(suite)) {
        excluded.add(suite);
      }
    }
    return excluded.toArray(new String[0]);
  }

  /// Versions and suites for clients that take parameters.
  public static SSLParameters parameters(SSLContext context) {
    SSLParameters parameters = context.getDefaultSSLParameters();
    restrict(parameters);
    return parameters;
  }

  /// Puts the rule on a socket. Before its handshake.
  public static void restrict(SSLSocket socket) {
    SSLParameters parameters = socket.getSSLParameters();
    restrict(parameters);
    socket.setSSLParameters(parameters);
  }

  /// Puts the rule into parameters and leaves all else in them as it is.
  public static void restrict(SSLParameters parameters) {
    parameters.setProtocols(protocols());
    // A loop: commands run this first thing, and a stream would cost them milliseconds.
    List<String> suites = new ArrayList<>();
    for (String suite : parameters.getCipherSuites()) {
      if (allows(suite)) {
        suites.add(suite);
      }
    }
    parameters.setCipherSuites(suites.toArray(new String[0]));
  }

  /// A context of these keys and roots.
  ///
  /// @param keys null shows no certificate
  /// @param trust null trusts the machine's own roots
  public static SSLContext context(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust, null);
    return context;
  }

  /// Shows that certificate to peers that ask for one of its kind.
  public static KeyManager[] showing(List<X509Certificate> chain, PrivateKey key)
      throws GeneralSecurityException {
    KeyStore store = emptyStore();
    store.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  /// Trusts peers whose certificate leads to one of these.
  public static TrustManager[] trusting(List<X509Certificate> roots)
      throws GeneralSecurityException {
    KeyStore store = emptyStore();
    for (int i = 0; i < roots.size(); i++) {
      store.setCertificateEntry("root" + i, roots.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  /// Trusts every peer, whatever its name.
  public static TrustManager[] trustingAnyone() {
    return new TrustManager[] {new TrustAnyone()};
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

  /// The extended form also turns off the platform's check of the host name.
  private static final class TrustAnyone extends X509ExtendedTrustManager {
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
