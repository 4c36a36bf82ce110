package io.fairlead.server.auth;

import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/// Finds out who sent a request.
public interface Authenticator {
  /// What a request brought along.
  ///
  /// @param certificate the client's verified certificate, null when it gave none
  /// @param bearerToken the token of `Authorization: Bearer`, null when there is none
  record Credentials(@Nullable X509Certificate certificate, @Nullable String bearerToken) {}

  /// The user; [UserInfo#ANONYMOUS] when there is no credential at all.
  ///
  /// @throws io.fairlead.api.status.ApiException 401 when a credential is wrong
  UserInfo authenticate(Credentials credentials);
}
