package io.fairlead.server.auth;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds out who sent a request.
public interface Authenticator {
  /// What a request brought along.
  ///
  /// @param certificate the client's own certificate, null when it gave none. The handshake proved
  ///   that the client has its key; whether its CA is ours is judged here
  /// @param intermediates the other certificates the client sent
  /// @param bearerToken the token of `Authorization: Bearer`, null when there is none
  record Credentials(
      @Nullable X509Certificate certificate,
      List<X509Certificate> intermediates,
      @Nullable String bearerToken) {
    public Credentials {
      intermediates = List.copyOf(intermediates);
    }

    public Credentials(@Nullable X509Certificate certificate, @Nullable String bearerToken) {
      this(certificate, List.of(), bearerToken);
    }
  }

  /// Who is behind a reviewed token.
  ///
  /// @param audiences those of the asked ones that the token is for
  record Reviewed(UserInfo user, List<String> audiences) {
    public Reviewed {
      audiences = List.copyOf(audiences);
    }
  }

  /// The user; [UserInfo#ANONYMOUS] when there is no credential at all.
  ///
  /// @throws io.fairlead.api.status.ApiException 401 when a credential is wrong
  UserInfo authenticate(Credentials credentials);

  /// Judges a token on behalf of another server, for TokenReview.
  ///
  /// @param audiences for whom the token must be; empty means this server
  /// @throws io.fairlead.api.status.ApiException 401 when the token is wrong
  default Reviewed review(String token, List<String> audiences) {
    return new Reviewed(authenticate(new Credentials(null, token)), audiences);
  }
}
