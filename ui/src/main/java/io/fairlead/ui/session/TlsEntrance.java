package io.fairlead.ui.session;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.ui.RemoteUsers;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/// TLS for browsers on any machine, which bring a bearer token or show a client certificate. Codes
/// of `fairlead ui` open nothing here: they are for a process of this machine.
///
/// Wrong logins close those of the same address alone: a stranger must not keep others out.
public record TlsEntrance(RemoteUsers users, WrongLogins wrong) implements Entrance {
  @Override
  public boolean isNamed(HttpServerExchange exchange) {
    String host = exchange.host();
    return host != null && exchange.isSecure() && users.isNamed(name(host));
  }

  /// Without the port, and without the brackets of IPv6. The certificate names no port, and a
  /// forwarded one differs.
  private static String name(String host) {
    if (host.startsWith("[")) {
      int end = host.indexOf(']');
      return end < 0 ? host : host.substring(1, end);
    }
    int colon = host.indexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }

  @Override
  public String origin(HttpServerExchange exchange) {
    return "https://" + exchange.host();
  }

  @Override
  public Optional<Logins.Grant> grant(HttpServerExchange exchange, JsonNode body) {
    String from = exchange.remoteAddress();
    if (wrong.isClosed(from)) {
      return Optional.empty();
    }
    String token = Json.textOr(body, "", "token").strip();
    Optional<RemoteUsers.Entrant> entrant =
        token.isEmpty() ? users.ofCertificate(exchange) : users.ofToken(token);
    if (entrant.isEmpty()) {
      wrong.count(from);
    }
    return entrant.map(found -> new Logins.Grant(found.user(), OptionalInt.empty(), found.until()));
  }

  @Override
  public String cookie() {
    return "__Secure-fairlead-ui";
  }

  @Override
  public String attributes() {
    return "; HttpOnly; Secure; SameSite=Strict";
  }
}
