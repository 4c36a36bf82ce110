package io.fairlead.server.pki;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One certificate of the cluster's CA with its key: `NAME.crt` and `NAME.key`.
final class LeafCertificateFiles {
  private static final Logger log = LoggerFactory.getLogger(LeafCertificateFiles.class);

  // RFC 5280 4.2.1.1 and 4.2.1.2; ours hold nothing behind the SHA-1 of the key.
  private static final String AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
  private static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
  private static final int KEY_IDENTIFIER_LENGTH = 20;

  private final PkiFiles files;
  private final String name;
  private final CertificateSubject subject;
  private final X509Certificate authority;

  LeafCertificateFiles(
      PkiFiles files, String name, CertificateSubject subject, X509Certificate authority) {
    this.files = files;
    this.name = name;
    this.subject = subject;
    this.authority = authority;
  }

  /// What is there, or null when it is missing or does not fit: ends before that time, is of
  /// another CA, lacks a name, or does not belong to the key.
  @Nullable CertificateWithKey load(Instant notBefore) {
    if (!files.exists(name + ".crt") || !files.exists(name + ".key")) {
      return null;
    }
    try {
      X509Certificate certificate =
          PemCodec.certificates(files.path(name + ".crt"), "a certificate").getFirst();
      files.tightenKey(name + ".key");
      PrivateKey key = PemCodec.privateKey(files.path(name + ".key"), "its key");
      String unfit = unfit(certificate, key, notBefore);
      if (unfit == null) {
        return new CertificateWithKey(List.of(certificate), key);
      }
      log.atInfo().addKeyValue("certificate", name).addKeyValue("why", unfit).log("is renewed");
    } catch (PkiException e) {
      log.atWarn()
          .addKeyValue("certificate", name)
          .addKeyValue("why", e.getMessage())
          .log("is made again");
    }
    return null;
  }

  /// Makes and stores a certificate, with the key that is there if it can be used.
  CertificateWithKey issue(CertificateWithKey issuingAuthority, Instant now, Duration validity) {
    CertificateIssuer issuer = new CertificateIssuer();
    KeyPair pair = keptKey(issuer);
    if (pair == null) {
      pair = issuer.newKey();
      files.writeKey(name + ".key", PemCodec.keyPair(pair));
    }
    X509Certificate certificate =
        issuer.leaf(issuingAuthority, pair.getPublic(), subject, now, validity);
    files.writePublic(name + ".crt", PemCodec.certificates(List.of(certificate)));
    return new CertificateWithKey(List.of(certificate), pair.getPrivate());
  }

  private @Nullable KeyPair keptKey(CertificateIssuer issuer) {
    if (!files.exists(name + ".key")) {
      return null;
    }
    try {
      PrivateKey key = PemCodec.privateKey(files.path(name + ".key"), "a key");
      PublicKey half = PemCodec.publicHalf(files.path(name + ".key"), "a key");
      return new KeyPair(half == null ? issuer.publicOf(key) : half, key);
    } catch (PkiException | GeneralSecurityException e) {
      log.atWarn().addKeyValue("key", name).addKeyValue("why", e.getMessage()).log("is replaced");
      return null;
    }
  }

  private @Nullable String unfit(X509Certificate certificate, PrivateKey key, Instant notBefore) {
    if (certificate.getNotAfter().toInstant().isBefore(notBefore)
        && certificate.getNotAfter().before(authority.getNotAfter())) {
      return "it ends at " + certificate.getNotAfter().toInstant();
    }
    if (!isOfAuthority(certificate)) {
      return "it is of another CA";
    }
    if (!KeyMatch.matches(certificate.getPublicKey(), key, files.path(name + ".key"))) {
      return "it does not belong to its key";
    }
    if (!sameSubject(certificate)) {
      return "it names " + certificate.getSubjectX500Principal();
    }
    if (!alternativeNames(certificate).containsAll(subject.alternativeNames())) {
      return "it lacks a name of " + subject.alternativeNames();
    }
    return null;
  }

  /// Compares names and key identifiers. That is no proof, and need not be one: a user who can
  /// write here has the CA's key. It saves the start a signature check for each certificate.
  private boolean isOfAuthority(X509Certificate certificate) {
    byte[] wanted = authority.getExtensionValue(SUBJECT_KEY_IDENTIFIER);
    byte[] present = certificate.getExtensionValue(AUTHORITY_KEY_IDENTIFIER);
    return certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal())
        && (wanted == null
            || (present != null && endsAlike(wanted, present, KEY_IDENTIFIER_LENGTH)));
  }

  private static boolean endsAlike(byte[] one, byte[] two, int length) {
    return one.length >= length
        && two.length >= length
        && Arrays.equals(
            one, one.length - length, one.length, two, two.length - length, two.length);
  }

  private boolean sameSubject(X509Certificate certificate) {
    try {
      Set<String> wanted = new HashSet<>();
      subject.organizations().forEach(group -> wanted.add("O=" + group));
      wanted.add("CN=" + subject.commonName());
      Set<String> present = new HashSet<>();
      new LdapName(certificate.getSubjectX500Principal().getName())
          .getRdns()
          .forEach(rdn -> present.add(rdn.getType() + "=" + rdn.getValue()));
      return wanted.equals(present);
    } catch (InvalidNameException e) {
      return false;
    }
  }

  private static Set<String> alternativeNames(X509Certificate certificate) {
    Set<String> names = new HashSet<>();
    try {
      Collection<List<?>> entries = certificate.getSubjectAlternativeNames();
      if (entries != null) {
        entries.forEach(
            entry -> names.add(SubjectAlternativeNames.canonical(String.valueOf(entry.get(1)))));
      }
    } catch (CertificateParsingException e) {
      return Set.of(); // counts as lacking every name
    }
    return names;
  }
}
