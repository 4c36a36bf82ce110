package io.fairlead.server.component;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authenticator.Credentials;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.TokenExpiry;
import io.fairlead.server.auth.UserInfo;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Who the users behind browsers are, for pages on the API's port that have sessions of their own:
/// a credential is looked at once, when a session begins. Safe for all threads.
public final class BrowserUsers {
  private static final int LONGEST_TOKEN = 16 << 10;

  private final Authenticator authenticator;
  private final Authorizer authorizer;
  private final Supplier<X509Certificate> serving;

  /// @param serving the certificate that clients are shown now
  public BrowserUsers(
      Authenticator authenticator, Authorizer authorizer, Supplier<X509Certificate> serving) {
    this.authenticator = authenticator;
    this.authorizer = authorizer;
    this.serving = serving;
  }

  /// A user who may come in.
  ///
  /// @param until when the credential ends; empty when it has no end
  public record Entrant(UserInfo user, Optional<Instant> until) {}

  /// Whether that is a name or an address that the server proves with its certificate. A browser
  /// that was led here by another name (DNS rebinding) has been shown a certificate that does not
  /// fit.
  ///
  /// @param name without a port; an IPv6 address without brackets
  public boolean isNamed(String name) {
    String wanted = canonical(name);
    try {
      for (List<?> entry :
          Optional.ofNullable(serving.get().getSubjectAlternativeNames()).orElse(List.of())) {
        if (matches(canonical(String.valueOf(entry.get(1))), wanted)) {
          return true;
        }
      }
    } catch (CertificateParsingException _) {
      return false;
    }
    return false;
  }

  /// A wildcard stands for one label.
  private static boolean matches(String own, String wanted) {
    int dot = wanted.indexOf('.');
    return own.equals(wanted)
        || (own.startsWith("*.") && dot > 0 && own.substring(1).equals(wanted.substring(dot)));
  }

  private static String canonical(String name) {
    try {
      return InetAddress.ofLiteral(name).getHostAddress();
    } catch (IllegalArgumentException _) {
      return name.toLowerCase(Locale.ROOT);
    }
  }

  /// The user of the certificate that the browser showed when it connected.
  ///
  /// @param path that the user must be allowed to `get`
  /// @return empty without one, and for one that is not good
  public Optional<Entrant> ofCertificate(HttpServerExchange exchange, String path) {
    List<X509Certificate> chain = exchange.clientCertificates();
    return chain.isEmpty()
        ? Optional.empty()
        : entrant(
            new Credentials(chain.getFirst(), chain.subList(1, chain.size()), null),
            Optional.of(chain.getFirst().getNotAfter().toInstant()),
            path);
  }

  /// The user of a bearer token.
  ///
  /// @param path that the user must be allowed to `get`
  /// @return empty for one that is not good
  public Optional<Entrant> ofToken(String token, String path) {
    return token.isEmpty() || token.length() > LONGEST_TOKEN
        ? Optional.empty()
        : entrant(new Credentials(null, token), TokenExpiry.of(token), path);
  }

  private Optional<Entrant> entrant(Credentials credentials, Optional<Instant> until, String path) {
    UserInfo user = user(credentials);
    return user == null || !mayGet(user, path)
        ? Optional.empty()
        : Optional.of(new Entrant(user, until));
  }

  private @Nullable UserInfo user(Credentials credentials) {
    try {
      UserInfo user = authenticator.authenticate(credentials);
      return user.equals(UserInfo.ANONYMOUS) ? null : user;
    } catch (ApiException _) {
      return null;
    }
  }

  private boolean mayGet(UserInfo user, String path) {
    return authorizer
        .authorize(new Attributes(user, "get", "", "", "", "", "", "", path))
        .allowed();
  }
}
