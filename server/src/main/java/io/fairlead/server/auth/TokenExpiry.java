package io.fairlead.server.auth;

import java.time.Instant;
import java.util.Optional;

/// When a bearer token ends, for what lasts longer than a request.
public final class TokenExpiry {
  private TokenExpiry() {}

  /// Reads the `exp` of a token that was found good before; empty for one that has no end.
  public static Optional<Instant> of(String token) {
    if (!Jwt.looksLikeOne(token)) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(Jwt.seconds(Jwt.parse(token).claims(), "exp"))
          .map(Instant::ofEpochSecond);
    } catch (Jwt.JwtException _) {
      return Optional.empty();
    }
  }
}
