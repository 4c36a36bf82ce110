package io.fairlead.server.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/// A certificate with its key: what a client or server proves its identity with.
///
/// @param chain the certificate first, then those that lead from it towards its CA
/// @param key the private key of the first
public record CertificateWithKey(List<X509Certificate> chain, PrivateKey key) {
  public CertificateWithKey {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("an identity needs a certificate");
    }
  }

  public X509Certificate certificate() {
    return chain.getFirst();
  }

  /// `client-certificate-data` of a kubeconfig, before base64.
  public String certificatePem() {
    return PemCodec.certificates(chain);
  }

  /// `client-key-data` of a kubeconfig, before base64.
  public String keyPem() {
    return PemCodec.privateKey(key);
  }

  /// Keeps the key out of logs.
  @Override
  public String toString() {
    return "Identity[" + certificate().getSubjectX500Principal() + "]";
  }
}
