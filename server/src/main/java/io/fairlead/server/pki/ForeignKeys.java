package io.fairlead.server.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// Keys that another installation has made, kubeadm's for example: RSA or P-256.
final class ForeignKeys {
  private ForeignKeys() {}

  /// The keys for tokens: signed with one, believed when signed with any.
  ///
  /// @param further files with public or private keys
  static Pki.TokenKeys tokenKeys(Path signing, List<Path> further) {
    PrivateKey key = PemCodec.privateKey(signing, "the token signing key");
    return withFurther(new Pki.TokenKeys(key, List.of(publicOf(key, signing))), further);
  }

  /// The same keys, and tokens of further ones are believed too.
  static Pki.TokenKeys withFurther(Pki.TokenKeys keys, List<Path> further) {
    List<PublicKey> all = new ArrayList<>(keys.publicKeys());
    for (Path file : further) {
      for (PublicKey each : publicKeys(file)) {
        if (!all.contains(each)) {
          all.add(each);
        }
      }
    }
    return new Pki.TokenKeys(keys.signing(), all);
  }

  private static List<PublicKey> publicKeys(Path file) {
    PublicKey half = PemCodec.publicHalf(file, "the token keys");
    return half != null
        ? PemCodec.publicKeys(file, "the token keys")
        : List.of(publicOf(PemCodec.privateKey(file, "the token keys"), file));
  }

  private static PublicKey publicOf(PrivateKey key, Path file) {
    try {
      return new CertificateIssuer().publicOf(key);
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "cannot use the token key of " + file,
          "it is neither an RSA nor an EC P-256 key",
          "give a key of one of these kinds; all tokens have to be issued again with another one",
          e);
    }
  }

  /// A certificate, with its chain, and its key.
  static CertificateWithKey pair(Path certificate, Path key, String purpose) {
    List<X509Certificate> chain = PemCodec.certificates(certificate, purpose);
    PrivateKey half = PemCodec.privateKey(key, "the key of " + purpose);
    if (!KeyMatch.matches(chain.getFirst().getPublicKey(), half)) {
      throw new PkiException(
          "cannot use " + purpose,
          key + " does not belong to the first certificate of " + certificate,
          "give the key that this certificate was made for");
    }
    return new CertificateWithKey(chain, half);
  }
}
