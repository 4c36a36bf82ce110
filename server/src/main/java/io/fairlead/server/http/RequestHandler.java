package io.fairlead.server.http;

/// Serves requests. Called on a virtual thread of its own for each; may block.
public interface RequestHandler {
  /// Answers. Throws only when no answer could be given any more; the connection is cut then.
  void handle(Exchange exchange) throws Exception;
}
