package io.fairlead.ui.session;

import io.fairlead.http.server.HttpServerExchange;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What differs between the listeners of the page: by what names browsers reach them, by what they
/// let a browser in, and how it keeps its cookie.
public interface Entrance {
  /// Whether the request names this listener, so that no other name leads here (DNS rebinding).
  boolean isNamed(HttpServerExchange exchange);

  /// What `Origin` the listener's own pages have.
  String origin(HttpServerExchange exchange);

  /// What a login opens; empty for one that is wrong.
  Optional<Logins.Grant> grant(HttpServerExchange exchange, JsonNode body);

  /// The name of the cookie.
  String cookie();

  /// What stands behind the cookie's value besides its path and age.
  String attributes();
}
