package io.fairlead.server;

import io.fairlead.api.selector.FieldSelector;
import io.fairlead.server.auth.Authenticator.Credentials;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.Authorizer.Decision;
import io.fairlead.server.auth.Forbidden;
import io.fairlead.server.auth.Impersonation;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.auth.WebSocketBearer;
import io.fairlead.server.http.Exchange;
import io.fairlead.server.request.RequestInfo;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds out who is at the door, as whom they want to act, and whether they may.
final class Gate {
  private final Security security;

  Gate(Security security) {
    this.security = security;
  }

  /// The user behind the request's credentials, not yet impersonating anyone.
  UserInfo authenticate(Exchange exchange) {
    List<X509Certificate> chain = exchange.clientCertificates();
    String token = token(exchange);
    return security
        .authenticator()
        .authenticate(
            chain.isEmpty()
                ? new Credentials(null, token)
                : new Credentials(chain.getFirst(), chain.subList(1, chain.size()), token));
  }

  /// The user to go on as.
  UserInfo impersonate(Exchange exchange, UserInfo user) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : exchange.headerNames()) {
      if (Impersonation.isHeader(name)) {
        headers.put(name, exchange.headers(name));
      }
    }
    return headers.isEmpty() ? user : Impersonation.apply(user, headers, security.authorizer());
  }

  /// Lets pass or throws 403.
  Decision authorize(UserInfo user, RequestInfo info, Exchange exchange) {
    String name = info.name();
    if (info.isResource() && name.isEmpty()) {
      // A list of one name is a question about that name.
      String only =
          FieldSelector.parse(exchange.query().text("fieldSelector")).exactValue("metadata.name");
      name = only == null ? "" : only;
    }
    return Forbidden.check(
        security.authorizer(),
        new Attributes(
            user,
            info.verb(),
            info.group(),
            info.version(),
            info.resource(),
            info.subresource(),
            info.namespace(),
            name,
            info.isResource() ? "" : info.path()));
  }

  private static @Nullable String token(Exchange exchange) {
    String authorization = exchange.header("Authorization");
    if (authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7)) {
      return authorization.substring(7).strip();
    }
    if (exchange.wantsWebSocket()) {
      List<String> offered =
          exchange.headers("Sec-WebSocket-Protocol").stream()
              .flatMap(header -> Arrays.stream(header.split(",")))
              .map(String::strip)
              .toList();
      return WebSocketBearer.of(offered).token();
    }
    return null;
  }
}
