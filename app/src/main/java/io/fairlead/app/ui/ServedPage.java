package io.fairlead.app.ui;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.component.BrowserUsers;
import io.fairlead.server.component.UserPage;
import io.fairlead.ui.RemoteUsers;
import io.fairlead.ui.UiLink;
import io.fairlead.ui.UiOptions;
import io.fairlead.ui.UiServer;
import io.fairlead.ui.UiUser;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// The page of an API server in this process, with the path on the API where `fairlead ui` gets its
/// links: the API server has authenticated who asks there.
public final class ServedPage implements AutoCloseable {
  /// Where links are asked for.
  public static final String LOGINS = "/fairlead/ui/v1/logins";

  private static final Logger log = LoggerFactory.getLogger(ServedPage.class);
  private static final ResourceType BINDINGS =
      new ResourceType(
          "rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", false);
  private static final String NAME = "fairlead-ui";
  private static final String ROOT = "/ui";
  private static final int MOST_BODY = 4096;
  private static final int TOO_MANY = 429;
  private static final int CREATED = 201;

  private final UiServer server;
  private final PageHost host;

  /// The port of the API, where the page gets its links and, if it is wished for, is served to
  /// other machines.
  public interface ApiPort {
    /// Takes a path of the API.
    void mount(String path, UserPage page);

    /// Takes a path and all below it, open to all.
    void mountForBrowsers(String path, Function<BrowserUsers, RequestHandler> pages);
  }

  private ServedPage(UiServer server, PageHost host) {
    this.server = server;
    this.host = host;
  }

  /// Serves it.
  ///
  /// @param host closed with the page
  public static ServedPage start(UiOptions options, PageHost host, ApiPort api) throws IOException {
    UiServer server = UiServer.start(host, options, new SecureRandom(), InstantSource.system());
    ServedPage page = new ServedPage(server, host);
    letUsersIn(host.watching());
    api.mount(LOGINS, page::login);
    if (options.remote()) {
      api.mountForBrowsers(ROOT, users -> server.remote(new CredentialUsers(users)));
    }
    log.atInfo().addKeyValue("port", server.port()).log("web page on loopback");
    return page;
  }

  /// All users may have a page: it shows each what that user may see.
  private static void letUsersIn(Client client) {
    ObjectNode role = named("ClusterRole");
    ObjectNode rule = role.putArray("rules").addObject();
    rule.putArray("nonResourceURLs").add(ROOT).add(LOGINS);
    rule.putArray("verbs").add("get").add("post");
    ObjectNode binding = named("ClusterRoleBinding");
    binding
        .putObject("roleRef")
        .put("apiGroup", "rbac.authorization.k8s.io")
        .put("kind", "ClusterRole")
        .put("name", NAME);
    binding
        .putArray("subjects")
        .addObject()
        .put("apiGroup", "rbac.authorization.k8s.io")
        .put("kind", "Group")
        .put("name", "system:authenticated");
    try {
      create(client, ResourceType.CLUSTER_ROLES, role);
      create(client, BINDINGS, binding);
    } catch (ApiException | ConnectionException e) {
      log.atWarn().addKeyValue("role", NAME).setCause(e).log("only administrators get a page");
    }
  }

  private static void create(Client client, ResourceType type, ObjectNode object) {
    if (client.find(type, new ObjectKey("", NAME)).isEmpty()) {
      ObjectNode _ = client.create(type, "", object);
    }
  }

  private static ObjectNode named(String kind) {
    ObjectNode object =
        Json.object().put("apiVersion", "rbac.authorization.k8s.io/v1").put("kind", kind);
    object.putObject("metadata").put("name", NAME);
    return object;
  }

  private void login(HttpServerExchange exchange, UserInfo user) throws IOException {
    if (exchange.method().equals("DELETE")) {
      if (!user.isIn("system:masters")) {
        throw new ApiException(
            Status.of(403, "Forbidden", "only administrators may end all sessions"));
      }
      server.endSessions();
      send(exchange, 200, Json.object());
      return;
    }
    if (!exchange.method().equals("POST")) {
      throw ApiException.methodNotAllowed();
    }
    if (user.equals(UserInfo.ANONYMOUS)) {
      throw new ApiException(Status.of(403, "Forbidden", "a page needs a user"));
    }
    UiLink link =
        server
            .link(user(user), asker(exchange))
            .orElseThrow(
                () ->
                    new ApiException(
                        Status.of(
                            TOO_MANY, "TooManyRequests", "too many links in the last minute")));
    send(exchange, CREATED, link.document());
  }

  private static UiUser user(UserInfo user) {
    return new UiUser(user.name(), user.uid(), user.groups(), user.extra());
  }

  /// Users of other machines, by what they show to the API server.
  private record CredentialUsers(BrowserUsers users) implements RemoteUsers {
    @Override
    public boolean isNamed(String name) {
      return users.isNamed(name);
    }

    @Override
    public Optional<Entrant> ofToken(String token) {
      return users.ofToken(token, ROOT).map(CredentialUsers::entrant);
    }

    @Override
    public Optional<Entrant> ofCertificate(HttpServerExchange exchange) {
      return users.ofCertificate(exchange, ROOT).map(CredentialUsers::entrant);
    }

    private static Entrant entrant(BrowserUsers.Entrant found) {
      return new Entrant(user(found.user()), found.until());
    }
  }

  /// The user of this machine whose browser gets the session: who asks, or whom root asks for.
  private OptionalInt asker(HttpServerExchange exchange) throws IOException {
    OptionalInt uid = server.uidOf(exchange.remoteSocketAddress(), exchange.localSocketAddress());
    byte[] body = exchange.body().readNBytes(MOST_BODY);
    if (body.length == 0 || uid.isEmpty() || uid.getAsInt() != 0) {
      return uid;
    }
    try {
      int wanted = Json.parseObject(body).path("uid").asInt(0);
      return OptionalInt.of(Math.max(0, wanted));
    } catch (JacksonException | DecodeException _) {
      throw ApiException.badRequest("the body is no JSON object");
    }
  }

  private static void send(HttpServerExchange exchange, int status, ObjectNode document)
      throws IOException {
    byte[] bytes = Json.bytes(document);
    exchange.setStatus(status);
    exchange.setHeader("Content-Type", "application/json");
    exchange.send(bytes, bytes.length);
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
    host.close();
  }
}
