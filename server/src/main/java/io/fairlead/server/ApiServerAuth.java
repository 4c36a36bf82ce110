package io.fairlead.server;

import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.TokenIssuer;

/// Who may come in and what they may do.
///
/// @param reload reads the files behind it again
public record ApiServerAuth(
    Authenticator authenticator, Authorizer authorizer, TokenIssuer tokens, Runnable reload) {
  /// Without files.
  public ApiServerAuth(Authenticator authenticator, Authorizer authorizer, TokenIssuer tokens) {
    this(authenticator, authorizer, tokens, () -> {});
  }
}
