package io.fairlead.server.auth;

import io.fairlead.server.pki.ClientCertificateVerifier;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/// Reads users from client certificates: the common name is the user, each organization a group.
///
/// A certificate that was found good is believed for a minute without looking at its signatures
/// again; its end is looked at every time. Safe for all threads.
public final class CertificateAuthenticator {
  /// Where the certificate or token that was used is told apart from others of the same user.
  static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

  private static final Duration BELIEVED = Duration.ofMinutes(1);
  private static final int MOST_BELIEVED = 1024;

  private record Verdict(UserInfo user, Instant until, ClientCertificateVerifier by) {}

  private final Supplier<ClientCertificateVerifier> present;
  private final InstantSource clock;
  private final BoundedCache<X509Certificate, Verdict> believed = new BoundedCache<>(MOST_BELIEVED);

  public CertificateAuthenticator(ClientCertificateVerifier trust, InstantSource clock) {
    this(() -> trust, clock);
  }

  /// @param present whom to trust now; when that changes, earlier decisions are void
  public CertificateAuthenticator(
      Supplier<ClientCertificateVerifier> present, InstantSource clock) {
    this.present = present;
    this.clock = clock;
  }

  /// The user, or null after adding to `problems` why there is none.
  @Nullable UserInfo authenticate(
      X509Certificate certificate, List<X509Certificate> intermediates, List<String> problems) {
    Instant now = clock.instant();
    ClientCertificateVerifier trust = present.get();
    Verdict known = believed.get(certificate);
    if (known != null && known.by().equals(trust) && now.isBefore(known.until())) {
      return known.user();
    }
    String subject = certificate.getSubjectX500Principal().getName();
    Optional<String> problem = trust.problem(certificate, intermediates, now);
    if (problem.isPresent()) {
      problems.add("client certificate " + subject + ": " + problem.get());
      return null;
    }
    UserInfo user = user(certificate, subject);
    if (user == null) {
      problems.add("client certificate " + subject + ": it has no common name");
      return null;
    }
    Instant end = certificate.getNotAfter().toInstant();
    Instant until = now.plus(BELIEVED);
    believed.put(certificate, new Verdict(user, until.isBefore(end) ? until : end, trust));
    return user;
  }

  private static @Nullable UserInfo user(X509Certificate certificate, String subject) {
    List<String> groups = new ArrayList<>();
    String name = "";
    try {
      // LdapName counts from the right end of the text, which is the order of the certificate.
      for (Rdn rdn : new LdapName(subject).getRdns()) {
        for (String value : values(rdn, "CN")) {
          name = value;
        }
        groups.addAll(values(rdn, "O"));
      }
    } catch (NamingException e) {
      return null;
    }
    return name.isEmpty()
        ? null
        : new UserInfo(
            name, "", groups, Map.of(CREDENTIAL_ID, List.of("X509SHA256=" + hash(certificate))));
  }

  private static List<String> values(Rdn rdn, String type) throws NamingException {
    Attribute attribute = rdn.toAttributes().get(type);
    List<String> values = new ArrayList<>();
    if (attribute != null) {
      NamingEnumeration<?> all = attribute.getAll();
      while (all.hasMore()) {
        if (all.next() instanceof String text) {
          values.add(text);
        }
      }
    }
    return values;
  }

  private static String hash(X509Certificate certificate) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a verified certificate has no encoding", e);
    }
  }
}
