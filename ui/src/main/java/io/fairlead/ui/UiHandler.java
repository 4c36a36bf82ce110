package io.fairlead.ui;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.ui.asset.AssetFile;
import io.fairlead.ui.asset.Assets;
import io.fairlead.ui.model.UiModel;
import io.fairlead.ui.session.Entrance;
import io.fairlead.ui.session.Logins;
import io.fairlead.ui.session.PeerUids;
import io.fairlead.ui.session.RequestRules;
import io.fairlead.ui.session.Sessions;
import io.fairlead.ui.session.UiSession;
import io.fairlead.ui.stream.TopicHub;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// All paths of the page: the built files for all browsers, and behind a session what they show.
final class UiHandler implements RequestHandler {
  private static final Logger log = LoggerFactory.getLogger(UiHandler.class);
  private static final String API = "/ui/api/v1/";
  private static final Duration WRONG_CODE = Duration.ofMillis(300);
  private static final int MOST_BODY = 64 << 10;

  private final Assets assets;
  private final Entrance entrance;
  private final Sessions sessions;
  private final PeerUids peers;
  private final UiApi api;
  private final InstantSource clock;

  UiHandler(
      UiHost host,
      UiOptions options,
      Assets assets,
      Entrance entrance,
      Sessions sessions,
      PeerUids peers,
      UiModel model,
      TopicHub hub,
      InstantSource clock) {
    this.assets = assets;
    this.entrance = entrance;
    this.sessions = sessions;
    this.peers = peers;
    this.clock = clock;
    this.api = new UiApi(host, options, model, hub, sessions, clock);
  }

  @Override
  public void handle(HttpServerExchange exchange) throws Exception {
    RequestRules.setHeaders(exchange);
    try {
      serve(exchange);
    } catch (ApiException e) {
      refuse(exchange, e.status());
    } catch (RuntimeException e) {
      log.atError().addKeyValue("path", exchange.path()).setCause(e).log("request failed");
      refuse(
          exchange,
          ApiException.internal("this is a fault of the page's host; its log says more").status());
    }
  }

  private void serve(HttpServerExchange exchange) throws IOException, InterruptedException {
    if (!entrance.isNamed(exchange)) {
      throw new ApiException(Status.of(421, "MisdirectedRequest", "this host has another name"));
    }
    String path = exchange.path();
    boolean reads = exchange.method().equals("GET") || exchange.method().equals("HEAD");
    if (path.startsWith(API)) {
      UiSession session = session(exchange);
      if (!reads) {
        RequestRules.checkOwnPage(exchange, entrance.origin(exchange), session);
      }
      exchange.setHeader("Cache-Control", "no-store");
      api.serve(exchange, session, path.substring(API.length()));
    } else if (path.equals("/ui/login") || path.equals("/ui/logout")) {
      if (!exchange.method().equals("POST")) {
        throw ApiException.methodNotAllowed();
      }
      exchange.setHeader("Cache-Control", "no-store");
      if (path.equals("/ui/login")) {
        login(exchange);
      } else {
        logout(exchange);
      }
    } else if (reads) {
      page(exchange, path);
    } else {
      throw ApiException.noSuchResource();
    }
  }

  private void page(HttpServerExchange exchange, String path) throws IOException {
    if (path.equals("/") || path.equals("/ui")) {
      exchange.setHeader("Location", "/ui/");
      exchange.setStatus(302);
      exchange.setLength(0);
      return;
    }
    Optional<AssetFile> file =
        path.startsWith("/ui/") ? assets.find(path.substring("/ui/".length())) : Optional.empty();
    file.orElseThrow(ApiException::noSuchResource).send(exchange);
  }

  private void login(HttpServerExchange exchange) throws IOException, InterruptedException {
    RequestRules.checkOwnPage(exchange, entrance.origin(exchange), null);
    Optional<Logins.Grant> grant = entrance.grant(exchange, body(exchange));
    if (grant.isEmpty()) {
      // As long for all that is wrong, so that nothing is learned from it.
      Pacer.system().pause(WRONG_CODE);
      throw new ApiException(
          Status.of(401, "Unauthorized", "what was given is wrong, used or too old"));
    }
    checkUid(exchange, grant.get().uid());
    UiSession session = sessions.open(grant.get());
    setCookie(
        exchange, session.cookie(), Duration.between(clock.instant(), session.until()).toSeconds());
    send(exchange, 200, api.session(session));
  }

  private void logout(HttpServerExchange exchange) throws IOException {
    UiSession session = session(exchange);
    RequestRules.checkOwnPage(exchange, entrance.origin(exchange), session);
    sessions.end(session);
    setCookie(exchange, "", 0);
    send(exchange, 200, Json.object());
  }

  private void setCookie(HttpServerExchange exchange, String value, long seconds) {
    exchange.setHeader(
        "Set-Cookie",
        entrance.cookie()
            + "="
            + value
            + entrance.attributes()
            + "; Path=/ui; Max-Age="
            + Math.max(0, seconds));
  }

  private UiSession session(HttpServerExchange exchange) {
    UiSession session =
        sessions
            .find(cookie(exchange))
            .orElseThrow(
                () -> new ApiException(Status.of(401, "Unauthorized", "there is no session")));
    checkUid(exchange, session.uid());
    exchange.setAuthenticated();
    return session;
  }

  /// Ports and cookies are shared by all users of a machine.
  private void checkUid(HttpServerExchange exchange, OptionalInt owner) {
    if (owner.isPresent()
        && !UiSession.isOpenTo(
            owner, peers.of(exchange.remoteSocketAddress(), exchange.localSocketAddress()))) {
      throw new ApiException(
          Status.of(403, "Forbidden", "the session belongs to another user of this machine"));
    }
  }

  private @Nullable String cookie(HttpServerExchange exchange) {
    for (String header : exchange.headers("Cookie")) {
      for (String part : header.split(";")) {
        String pair = part.strip();
        if (pair.startsWith(entrance.cookie() + "=")) {
          return pair.substring(entrance.cookie().length() + 1);
        }
      }
    }
    return null;
  }

  /// The object in the body of a request.
  static ObjectNode body(HttpServerExchange exchange) throws IOException {
    byte[] bytes = exchange.body().readNBytes(MOST_BODY + 1);
    if (bytes.length > MOST_BODY) {
      throw new ApiException(Status.of(413, "RequestEntityTooLarge", "the body is too long"));
    }
    try {
      return Json.parseObject(bytes);
    } catch (JacksonException | DecodeException _) {
      throw ApiException.badRequest("the body is no JSON object");
    }
  }

  static void send(HttpServerExchange exchange, int status, ObjectNode document)
      throws IOException {
    byte[] bytes = Json.bytes(document);
    exchange.setStatus(status);
    exchange.setHeader("Content-Type", "application/json");
    exchange.send(bytes, bytes.length);
  }

  private void refuse(HttpServerExchange exchange, Status status) throws IOException {
    if (exchange.isCommitted()) {
      throw new IOException("refused after the answer had begun: " + status.message());
    }
    String accept = exchange.header("Accept");
    boolean reader =
        accept != null
            && accept.contains("text/html")
            && exchange.method().equals("GET")
            && status.code() == 404;
    Optional<AssetFile> page = reader ? assets.find("") : Optional.empty();
    if (page.isPresent()) {
      page.get().send(exchange, 404);
      return;
    }
    send(exchange, status.code(), status.toJson());
  }
}
