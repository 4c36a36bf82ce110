package io.fairlead.server.paths;

import io.fairlead.http.server.HttpServerExchange;
import java.io.IOException;

/// Serves paths that are no resources: discovery, OpenAPI, health, metrics.
public interface PathHandler {
  /// Answers if the path is one of its own.
  ///
  /// @return false when it is not; nothing was sent then
  boolean handle(HttpServerExchange exchange) throws IOException;
}
