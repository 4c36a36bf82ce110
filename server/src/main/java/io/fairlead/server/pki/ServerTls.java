package io.fairlead.server.pki;

import io.fairlead.http.tls.TlsPolicy;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// The TLS side of the server: shows one certificate, asks clients for theirs.
///
/// A client that shows a certificate of a foreign CA or an expired one is let through the handshake
/// and then refused by the authenticator with 401, so that the user of kubectl reads "Unauthorized"
/// and the server's log says why, instead of a connection that breaks without a word. The handshake
/// still proves that the client owns the certificate's key. This is what kube-apiserver does too.
final class ServerTls {
  private ServerTls() {}

  static SSLContext context(CertificateWithKey identity, List<X509Certificate> clientAuthorities) {
    return context(() -> identity, () -> clientAuthorities);
  }

  /// The same with a certificate and authorities that may change: connections that begin later see
  /// the new ones, those that are open stay open.
  static SSLContext context(
      Supplier<CertificateWithKey> identity, Supplier<List<X509Certificate>> clientAuthorities) {
    try {
      return TlsPolicy.context(
          new KeyManager[] {new OneKey(identity)},
          new TrustManager[] {new JudgeLater(clientAuthorities)});
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no TLS", e);
    }
  }

  /// The same certificate for everyone. A key store would encrypt the key only to decrypt it again.
  ///
  /// A handshake asks three times: for a name, then for the certificate and for the key of that
  /// name. Each certificate has a name of its own, so that one that is replaced in between is not
  /// shown with the key of another.
  private static final class OneKey extends X509ExtendedKeyManager {
    private static final int REMEMBERED = 4;

    private final Supplier<CertificateWithKey> present;
    // Guarded by this.
    private final SequencedMap<String, CertificateWithKey> named = new LinkedHashMap<>();
    private int names;

    OneKey(Supplier<CertificateWithKey> present) {
      this.present = present;
    }

    private synchronized @Nullable String alias(String keyType) {
      CertificateWithKey identity = present.get();
      if (!identity.certificate().getPublicKey().getAlgorithm().equals(keyType)) {
        return null;
      }
      if (named.isEmpty() || !named.lastEntry().getValue().equals(identity)) {
        named.put("server-" + names++, identity);
        if (named.size() > REMEMBERED) {
          named.pollFirstEntry();
        }
      }
      return named.lastEntry().getKey();
    }

    private synchronized CertificateWithKey named(String alias) {
      CertificateWithKey identity = named.get(alias);
      return identity == null ? present.get() : identity;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return alias(keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      String alias = alias(keyType);
      return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return named(alias).chain().toArray(new X509Certificate[0]);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return named(alias).key();
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }

  /// Names the wanted CAs to clients; the authenticator judges what they show.
  private static final class JudgeLater extends X509ExtendedTrustManager {
    private final Supplier<List<X509Certificate>> authorities;

    JudgeLater(Supplier<List<X509Certificate>> authorities) {
      this.authorities = authorities;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      throw notAClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      throw notAClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      throw notAClient();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return authorities.get().toArray(new X509Certificate[0]);
    }

    private static CertificateException notAClient() {
      return new CertificateException("this context is for servers only");
    }
  }
}
