package io.fairlead.ui;

import io.fairlead.http.server.HttpServerExchange;
import java.time.Instant;
import java.util.Optional;

/// Who may come in from other machines, as the listener for them knows. Safe for all threads.
public interface RemoteUsers {
  /// A user who is let in.
  ///
  /// @param until when the credential ends; empty when it has no end
  record Entrant(UiUser user, Optional<Instant> until) {}

  /// Whether the listener proves that name or address by its certificate.
  ///
  /// @param name without a port; an IPv6 address without brackets
  boolean isNamed(String name);

  /// The user of a bearer token; empty for one that is not good.
  Optional<Entrant> ofToken(String token);

  /// The user of the certificate that the browser showed; empty without a good one.
  Optional<Entrant> ofCertificate(HttpServerExchange exchange);
}
