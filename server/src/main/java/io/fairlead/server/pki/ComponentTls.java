package io.fairlead.server.pki;

import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;

/// The server side of TLS for components that have no PKI of their own.
public final class ComponentTls {
  private static final Duration VALIDITY = Duration.ofDays(365);

  private ComponentTls() {}

  /// With a certificate from files.
  ///
  /// @param clientAuthorities the CAs whose client certificates are asked for
  /// @throws PkiException when a file is damaged or key and certificate do not fit
  public static SSLContext ofFiles(
      Path certificate, Path key, List<X509Certificate> clientAuthorities, InstantSource clock) {
    return ServerTls.context(Pki.foreignServing(certificate, key, clock), clientAuthorities);
  }

  /// With a certificate made now, which no client trusts and which ends with the process.
  ///
  /// @param names DNS names and addresses it is good for
  public static SSLContext selfSigned(
      List<String> names, List<X509Certificate> clientAuthorities, InstantSource clock) {
    return of(newIdentity(names, clock), clientAuthorities);
  }

  /// With that certificate.
  public static SSLContext of(
      CertificateWithKey identity, List<X509Certificate> clientAuthorities) {
    return ServerTls.context(identity, clientAuthorities);
  }

  /// A certificate made now, which only clients that are given it trust.
  ///
  /// @param names DNS names and addresses it is good for
  public static CertificateWithKey newIdentity(List<String> names, InstantSource clock) {
    CertificateIssuer issuer = new CertificateIssuer();
    KeyPair signing = issuer.newKey();
    CertificateWithKey authority =
        new CertificateWithKey(
            List.of(issuer.authority(signing, clock.instant(), VALIDITY)), signing.getPrivate());
    KeyPair serving = issuer.newKey();
    X509Certificate leaf =
        issuer.leaf(
            authority,
            serving.getPublic(),
            CertificateSubject.server(names.getFirst(), names),
            clock.instant(),
            VALIDITY);
    return new CertificateWithKey(List.of(leaf, authority.certificate()), serving.getPrivate());
  }

  /// The certificates of a PEM file.
  ///
  /// @throws PkiException when there are none
  public static List<X509Certificate> authorities(Path file) {
    return PemCodec.certificates(file, "the client CA");
  }
}
