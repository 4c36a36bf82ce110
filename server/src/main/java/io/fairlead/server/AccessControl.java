package io.fairlead.server;

import io.fairlead.api.selector.FieldSelector;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.Authenticator.Credentials;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.Authorizer.Decision;
import io.fairlead.server.auth.Forbidden;
import io.fairlead.server.auth.Impersonation;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.auth.WebSocketBearer;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.stream.NodeInsightPath;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Authenticates a request, impersonates, and authorizes.
final class AccessControl {
  /// The verbs that act only on what a field selector matches.
  private static final Set<String> SELECTING = Set.of("list", "watch", "deletecollection");

  private final ApiServerAuth security;

  AccessControl(ApiServerAuth security) {
    this.security = security;
  }

  /// The user behind the request's credentials, not yet impersonating anyone.
  UserInfo authenticate(HttpServerExchange exchange) {
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
  UserInfo impersonate(HttpServerExchange exchange, UserInfo user) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : exchange.headerNames()) {
      if (Impersonation.isHeader(name)) {
        headers.put(name, exchange.headers(name));
      }
    }
    return headers.isEmpty() ? user : Impersonation.apply(user, headers, security.authorizer());
  }

  /// Lets pass or throws 403.
  Decision authorize(UserInfo user, RequestInfo info, HttpServerExchange exchange) {
    String name = info.name();
    String selector = "";
    if (info.isResource() && name.isEmpty() && SELECTING.contains(info.verb())) {
      // A list of one name is a question about that name. Other verbs ignore the selector.
      selector = exchange.query().text("fieldSelector");
      String only = FieldSelector.parse(selector).exactValue("metadata.name");
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
            info.isResource() ? "" : info.path(),
            selector));
  }

  /// The same for a question to a node: `get` or `create` of `nodes/insight`, or for one namespace
  /// the rights to get its Services and list its pods. The node checks what is about a pod.
  Decision authorize(UserInfo user, NodeInsightPath path, HttpServerExchange exchange) {
    Attributes whole =
        new Attributes(user, path.verb(), "", "v1", "nodes", "insight", "", path.node(), "");
    String namespace = exchange.query().text("namespace");
    Decision decision = security.authorizer().authorize(whole);
    if (decision.allowed() || !path.isNamespaced() || namespace.isEmpty()) {
      return Forbidden.check(security.authorizer(), whole);
    }
    Decision services = allowed(user, "get", "services", namespace);
    return services.allowed() && allowed(user, "list", "pods", namespace).allowed()
        ? services
        : Forbidden.check(security.authorizer(), whole);
  }

  private Decision allowed(UserInfo user, String verb, String resource, String namespace) {
    return security
        .authorizer()
        .authorize(new Attributes(user, verb, "", "v1", resource, "", namespace, "", ""));
  }

  private static @Nullable String token(HttpServerExchange exchange) {
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
