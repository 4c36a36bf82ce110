package io.fairlead.ui.session;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.server.HttpServerExchange;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What every request must be, before its sender counts: for this host by one of its own names, and
/// from its own pages where it changes something.
///
/// How it works: a page elsewhere can make a browser send requests here, and can give its own name
/// this address (DNS rebinding). It can neither choose the `Host` header nor read the token, and a
/// browser says `Origin` and `Sec-Fetch-Site` truly.
public final class RequestRules {
  /// The header that brings the session's token.
  public static final String TOKEN = "X-Fairlead-Token";

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
              + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
              + "require-trusted-types-for 'script'; trusted-types svelte-trusted-html",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Permissions-Policy",
          "camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=(),"
              + " browsing-topics=()");

  private RequestRules() {}

  /// The headers of every answer.
  public static void setHeaders(HttpServerExchange exchange) {
    HEADERS.forEach(exchange::setHeader);
  }

  /// Refuses a request that another site's page may have sent.
  ///
  /// @param own the `Origin` of this host's pages
  /// @param session null before there is one, at login
  /// @throws ApiException 403 with the reason `CrossSite`
  public static void checkOwnPage(
      HttpServerExchange exchange, String own, @Nullable UiSession session) {
    String type = exchange.header("Content-Type");
    if (type == null || !type.split(";")[0].strip().equalsIgnoreCase("application/json")) {
      throw crossSite("the body is not application/json");
    }
    String origin = exchange.header("Origin");
    if (origin != null && !origin.equals(own)) {
      throw crossSite("it comes from another origin");
    }
    String site = exchange.header("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin")) {
      throw crossSite("it comes from another site");
    }
    String token = exchange.header(TOKEN);
    if (session != null && (token == null || !session.hasToken(token))) {
      throw crossSite("it lacks the session's token");
    }
  }

  private static ApiException crossSite(String why) {
    return new ApiException(Status.of(403, "CrossSite", "the request was refused: " + why));
  }
}
