package io.fairlead.server.auth;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Issues service account tokens.
public interface TokenIssuer {
  /// What the token shall say.
  ///
  /// @param audiences empty means the server's own
  /// @param boundKind `Pod`, `Node` or `Secret` when the token ends with that object, else null
  record Request(
      String namespace,
      String account,
      String accountUid,
      List<String> audiences,
      long seconds,
      @Nullable String boundKind,
      String boundName,
      String boundUid) {}

  record Token(String text, Instant expires, List<String> audiences) {}

  Token issue(Request request);

  /// The audiences of tokens for this server itself.
  default List<String> audiences() {
    return List.of();
  }
}
