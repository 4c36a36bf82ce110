package io.fairlead.server.paths;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.Resource;
import java.io.IOException;
import java.util.List;

/// Serves paths that are no resources: discovery, OpenAPI, health, metrics.
public interface PathHandler {
  /// Answers if the path is one of its own.
  ///
  /// @return false when it is not; nothing was sent then
  boolean handle(HttpServerExchange exchange) throws IOException;

  /// The same for paths whose answer depends on who asks.
  default boolean handle(HttpServerExchange exchange, UserInfo user) throws IOException {
    return handle(exchange);
  }

  /// From now on these resources are served, of the server itself and defined ones.
  default void served(List<Resource> all) {}
}
