package io.fairlead.server.component;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authenticator.Credentials;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.Forbidden;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.render.ResponseBody;
import io.fairlead.server.render.ResponseWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves the pages of a component over TLS, to those who may read them. Nothing can be written
/// here. Health is for everybody, as it says nothing else.
public final class ComponentServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ComponentServer.class);
  private static final Set<String> OPEN = Set.of("/healthz", "/livez", "/readyz");

  private final HttpServer http;

  private ComponentServer(HttpServer http) {
    this.http = http;
  }

  /// Starts to listen.
  ///
  /// @param port 0 takes a free one
  /// @param pages by path
  public static ComponentServer start(
      String address,
      int port,
      SSLContext tls,
      Authenticator authenticator,
      Authorizer authorizer,
      Map<String, ComponentPage> pages)
      throws IOException {
    Map<String, ComponentPage> known = Map.copyOf(pages);
    return new ComponentServer(
        HttpServer.start(
            address, port, tls, exchange -> handle(exchange, authenticator, authorizer, known)));
  }

  public int port() {
    return http.port();
  }

  @Override
  public void close() {
    http.close();
  }

  private static void handle(
      HttpServerExchange exchange,
      Authenticator authenticator,
      Authorizer authorizer,
      Map<String, ComponentPage> pages)
      throws IOException {
    exchange.setHeader("Cache-Control", "no-cache, private");
    exchange.setHeader("X-Content-Type-Options", "nosniff");
    try {
      if (!OPEN.contains(exchange.path())) {
        UserInfo user = authenticator.authenticate(credentials(exchange));
        if (!user.equals(UserInfo.ANONYMOUS)) {
          exchange.setAuthenticated();
        }
        check(exchange, user, authorizer);
      }
      answer(exchange, pages.get(exchange.path()));
    } catch (ApiException e) {
      ResponseWriter.status(exchange, e.status());
    } catch (RuntimeException e) {
      log.atError().addKeyValue("path", exchange.path()).setCause(e).log("request failed");
      ResponseWriter.status(
          exchange,
          ApiException.internal("this is a fault of the component; its log says more").status());
    }
  }

  /// Serves a page to users who may read it.
  static void answer(HttpServerExchange exchange, @Nullable ComponentPage page) throws IOException {
    if (page == null) {
      throw ApiException.noSuchResource();
    }
    boolean head = exchange.method().equals("HEAD");
    if (!head && !exchange.method().equals("GET")) {
      throw ApiException.methodNotAllowed();
    }
    byte[] bytes = page.text().apply(exchange.query()::text).getBytes(UTF_8);
    exchange.setStatus(200);
    exchange.setHeader("Content-Type", page.mediaType());
    if (head) {
      exchange.setLength(bytes.length);
      return;
    }
    try (OutputStream out = new ResponseBody(exchange)) {
      out.write(bytes);
    }
  }

  private static void check(HttpServerExchange exchange, UserInfo user, Authorizer authorizer) {
    String verb = exchange.method().toLowerCase(Locale.ROOT);
    Forbidden.check(
        authorizer, new Attributes(user, verb, "", "", "", "", "", "", exchange.path()));
  }

  private static Credentials credentials(HttpServerExchange exchange) {
    List<X509Certificate> chain = exchange.clientCertificates();
    String authorization = exchange.header("Authorization");
    String token =
        authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7)
            ? authorization.substring(7).strip()
            : null;
    return chain.isEmpty()
        ? new Credentials(null, token)
        : new Credentials(chain.getFirst(), chain.subList(1, chain.size()), token);
  }
}
