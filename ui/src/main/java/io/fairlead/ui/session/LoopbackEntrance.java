package io.fairlead.ui.session;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServerExchange;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Plain HTTP for the browsers of this machine, which bring a code of `fairlead ui`.
public record LoopbackEntrance(Logins logins) implements Entrance {
  /// A loopback name with the port that the request came to.
  @Override
  public boolean isNamed(HttpServerExchange exchange) {
    String host = exchange.host();
    if (host == null || !(exchange.localSocketAddress() instanceof InetSocketAddress here)) {
      return false;
    }
    String port = ":" + here.getPort();
    return Set.of("127.0.0.1" + port, "[::1]" + port, "localhost" + port)
        .contains(host.toLowerCase(Locale.ROOT));
  }

  @Override
  public String origin(HttpServerExchange exchange) {
    return "http://" + exchange.host();
  }

  @Override
  public Optional<Logins.Grant> grant(HttpServerExchange exchange, JsonNode body) {
    return logins.trade(Json.textOr(body, "", "code"));
  }

  @Override
  public String cookie() {
    return "fairlead-ui";
  }

  @Override
  public String attributes() {
    return "; HttpOnly; SameSite=Strict";
  }
}
