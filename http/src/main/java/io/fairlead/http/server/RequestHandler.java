package io.fairlead.http.server;

/// Serves requests. Called on a virtual thread of its own for each; may block.
public interface RequestHandler {
  /// Answers. Throws only when no answer could be given any more; the connection is cut then.
  void handle(HttpServerExchange exchange) throws Exception;
}
