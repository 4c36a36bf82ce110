package io.fairlead.server.pki;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/// Judges client certificates by the client CA.
public final class ClientCertificateVerifier {
  private static final String CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2"; // RFC 5280 4.2.1.12
  private static final String ANY_PURPOSE = "2.5.29.37.0";
  private static final int MOST_INTERMEDIATES = 8;

  private final List<X509Certificate> authorities;
  private final Set<TrustAnchor> anchors = new HashSet<>();

  public ClientCertificateVerifier(List<X509Certificate> authorities) {
    this.authorities = List.copyOf(authorities);
    authorities.forEach(authority -> anchors.add(new TrustAnchor(authority, null)));
  }

  public List<X509Certificate> authorities() {
    return authorities;
  }

  /// Why that certificate does not prove who its owner is at this time; empty when it does.
  ///
  /// @param intermediates what the client sent beside its own certificate, in any order
  public Optional<String> problem(
      X509Certificate certificate, List<X509Certificate> intermediates, Instant now) {
    if (now.isAfter(certificate.getNotAfter().toInstant())) {
      return Optional.of("it expired at " + certificate.getNotAfter().toInstant());
    }
    if (now.isBefore(certificate.getNotBefore().toInstant())) {
      return Optional.of("it is not valid before " + certificate.getNotBefore().toInstant());
    }
    try {
      List<String> purposes = certificate.getExtendedKeyUsage();
      if (purposes != null
          && !purposes.contains(CLIENT_AUTHENTICATION)
          && !purposes.contains(ANY_PURPOSE)) {
        return Optional.of("it is not meant for clients");
      }
      if (authorities.contains(certificate)) {
        return Optional.empty();
      }
      PKIXParameters parameters = new PKIXParameters(anchors);
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(now));
      CertPathValidator.getInstance("PKIX")
          .validate(
              CertificateFactory.getInstance("X.509")
                  .generateCertPath(path(certificate, intermediates)),
              parameters);
      return Optional.empty();
    } catch (CertPathValidatorException | CertificateParsingException e) {
      return Optional.of("it is not signed by the client CA (" + e.getMessage() + ")");
    } catch (CertificateException e) {
      return Optional.of("it is damaged (" + e.getMessage() + ")");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot validate certificates", e);
    }
  }

  /// The way from the certificate up to just below a CA of ours.
  private List<X509Certificate> path(
      X509Certificate certificate, List<X509Certificate> intermediates) {
    List<X509Certificate> path = new ArrayList<>(List.of(certificate));
    List<X509Certificate> left = new ArrayList<>(intermediates);
    while (path.size() <= MOST_INTERMEDIATES) {
      X500Principal issuer = path.getLast().getIssuerX500Principal();
      if (authorities.stream().anyMatch(ca -> ca.getSubjectX500Principal().equals(issuer))) {
        break;
      }
      Optional<X509Certificate> next =
          left.stream().filter(one -> one.getSubjectX500Principal().equals(issuer)).findFirst();
      if (next.isEmpty()) {
        break;
      }
      path.add(next.get());
      left.remove(next.get());
    }
    return path;
  }
}
