package io.fairlead.server.auth;

import java.util.List;

/// One sort of bearer token.
public interface TokenAuthenticator {
  /// What came of looking at a token.
  sealed interface Outcome {
    /// The token is good.
    ///
    /// @param audiences those of the wanted ones that it is for
    record Known(UserInfo user, List<String> audiences) implements Outcome {}

    /// The token is of this sort, but wrong.
    ///
    /// @param why for the server's log, never for the client
    record Wrong(String why) implements Outcome {}

    /// The token is of another sort.
    record NotMine() implements Outcome {}
  }

  /// @param audiences for whom the token must be; empty means this server
  Outcome authenticate(String token, List<String> audiences);
}
