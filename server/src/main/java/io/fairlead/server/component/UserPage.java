package io.fairlead.server.component;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.UserInfo;
import java.io.IOException;

/// A path of another component whose answer depends on who asks, in any method.
public interface UserPage {
  /// Answers. Throws [io.fairlead.api.status.ApiException] when there is no answer.
  void answer(HttpServerExchange exchange, UserInfo user) throws IOException;
}
