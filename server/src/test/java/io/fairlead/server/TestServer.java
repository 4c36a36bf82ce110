package io.fairlead.server;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.pki.PkiOptions;
import io.fairlead.server.resources.BuiltInResources;
import io.fairlead.server.stream.NodeTls;
import io.fairlead.store.Store;
import io.fairlead.store.testing.MemoryStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A server in this process with a store in memory, and a client for it. The token `admin` may do
/// everything, and so may `flood` and `other`, who are not exempt from priority levels; `nobody`
/// may do nothing; without a token one is anonymous and may read health and version.
final class TestServer implements AutoCloseable {
  private static final List<String> PUBLIC = List.of("/healthz", "/livez", "/readyz", "/version");

  /// The keys of a server without TLS and without tokens of its own.
  private static final Path UNUSED = Path.of("unused");

  final Store store;
  final ApiServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private TestServer(Store store, ApiServer server) {
    this.store = store;
    this.server = server;
  }

  static TestServer start() throws Exception {
    return start(new MemoryStore(), ApiServerConfig.Limits.DEFAULT);
  }

  static TestServer start(Store store, ApiServerConfig.Limits limits) throws Exception {
    return start(store, limits, new SecureRandom(), Duration.ofSeconds(10));
  }

  static TestServer start(
      Store store, ApiServerConfig.Limits limits, RandomGenerator random, Duration repairEvery)
      throws Exception {
    ApiServerConfig config = config(UNUSED).limits(limits).build();
    return start(
        store,
        config,
        new ApiServer.ServerContext(
            BuiltInResources.all(),
            _ -> security(),
            null,
            ServerSetup.documents(config, BuiltInResources.all(), InstantSource.system()),
            InstantSource.system(),
            random,
            repairEvery));
  }

  /// A server whose Services get addresses and node ports of these ranges.
  static TestServer start(
      Store store, List<String> cidrs, String nodePorts, boolean externalIps, int minor)
      throws Exception {
    ApiServerConfig.ServiceNetworkOptions services =
        new ApiServerConfig.ServiceNetworkOptions(cidrs, nodePorts, externalIps, false);
    ApiServerConfig config = config(UNUSED).services(services).emulatedMinor(minor).build();
    return start(store, config, Duration.ofMillis(50));
  }

  /// A server that tells others that address.
  static TestServer startAs(
      Store store, String advertise, ApiServerConfig.ServiceNetworkOptions services)
      throws Exception {
    ApiServerConfig config = config(UNUSED).advertiseAddress(advertise).services(services).build();
    return start(store, config, Duration.ofSeconds(10));
  }

  /// A server that listens there and tells others that address.
  static TestServer startAt(Store store, String bind, int port, String advertise) throws Exception {
    ApiServerConfig config =
        config(UNUSED).bindAddress(bind).securePort(port).advertiseAddress(advertise).build();
    return start(store, config, Duration.ofMillis(100));
  }

  private static TestServer start(Store store, ApiServerConfig config, Duration repairEvery)
      throws Exception {
    return start(
        store,
        config,
        new ApiServer.ServerContext(
            BuiltInResources.all(ServerSetup.network(config.services()), config.eventTtl()),
            _ -> security(),
            null,
            List.of(),
            InstantSource.system(),
            new SecureRandom(),
            repairEvery));
  }

  /// A server that keeps Events that long.
  static TestServer startKeepingEvents(Store store, Duration time) throws Exception {
    ApiServerConfig config = config(UNUSED).eventTtl(time).build();
    return start(
        store,
        config,
        new ApiServer.ServerContext(
            BuiltInResources.all(ServerSetup.network(config.services()), config.eventTtl()),
            _ -> security(),
            null,
            List.of(),
            InstantSource.system()));
  }

  /// A server that warns of what no component of Fairlead acts on.
  static TestServer startWarning(Store store) throws Exception {
    return start(store, config(UNUSED).warnsOfUnserved(true).build(), Duration.ofSeconds(10));
  }

  /// A server with real users and permissions: keys under `pki`, static tokens from a file.
  static TestServer startSecured(Path pki, Path tokens, InstantSource clock) throws Exception {
    ApiServerConfig config = config(pki).tokenAuthFile(Optional.of(tokens)).build();
    ApiServer.ServerContext context = ServerSetup.context(config, clock);
    return start(
        new MemoryStore(),
        config,
        new ApiServer.ServerContext(
            context.resources(), context.security(), null, context.paths(), context.clock()));
  }

  /// A server that can speak for its users to aggregated API servers.
  static TestServer startProxying(Path pki) throws Exception {
    ApiServerConfig config = config(pki).build();
    Pki keys = Pki.open(pki, PkiOptions.of(config, InstantSource.system()));
    ApiServer.ServerContext plain =
        new ApiServer.ServerContext(
            BuiltInResources.all(),
            _ -> security(),
            null,
            ServerSetup.documents(config, BuiltInResources.all(), InstantSource.system()),
            InstantSource.system());
    return start(
        new MemoryStore(),
        config,
        plain.with(
            new NodeTls(keys.nodeClient(), keys.authority(), keys::servingCertificate),
            keys.clientTrustPem(),
            keys.signer(),
            Optional.of(keys.frontProxy())));
  }

  /// A server with real users and permissions that writes an audit log.
  static TestServer startAudited(Path pki, Path tokens, Path log) throws Exception {
    ApiServerConfig config =
        config(pki).tokenAuthFile(Optional.of(tokens)).auditLog(Optional.of(log)).build();
    ApiServer.ServerContext context = ServerSetup.context(config, InstantSource.system());
    return start(
        new MemoryStore(),
        config,
        new ApiServer.ServerContext(
            context.resources(), context.security(), null, context.paths(), context.clock()));
  }

  private static TestServer start(
      Store store, ApiServerConfig config, ApiServer.ServerContext context) throws Exception {
    return new TestServer(store, ApiServer.start(config, store, context));
  }

  /// The same with TLS, for clients that bring their own trust.
  static ApiServer startTls(Path pki, Store store) throws Exception {
    return startTls(pki, store, ApiServerConfig.Limits.DEFAULT);
  }

  static ApiServer startTls(Path pki, Store store, ApiServerConfig.Limits limits) throws Exception {
    ApiServerConfig config = config(pki).limits(limits).build();
    Pki keys = Pki.open(pki, PkiOptions.of(config, InstantSource.system()));
    return ApiServer.start(
        config,
        store,
        new ApiServer.ServerContext(
            BuiltInResources.all(),
            _ -> security(),
            keys.serverContext(),
            List.of(),
            InstantSource.system()));
  }

  /// On any free port of loopback.
  static ApiServerConfigBuilder config(Path pki) {
    return ApiServerConfig.defaults(pki).change().securePort(0);
  }

  private static ApiServerAuth security() {
    return new ApiServerAuth(
        credentials -> {
          String token = credentials.bearerToken();
          if (token == null) {
            return UserInfo.ANONYMOUS;
          }
          return switch (token) {
            case "admin" -> new UserInfo("admin", "", List.of("system:masters"), Map.of());
            case "nobody" -> new UserInfo("nobody", "", List.of(), Map.of());
            case "flood", "other" ->
                new UserInfo(token, "", List.of("system:authenticated"), Map.of());
            default -> throw ApiException.unauthorized();
          };
        },
        new Authorizer() {
          @Override
          public Decision authorize(Attributes attributes) {
            boolean open =
                attributes.resource().isEmpty()
                    && PUBLIC.stream().anyMatch(attributes.path()::startsWith);
            boolean known =
                attributes.user().isIn("system:masters")
                    || attributes.user().isIn("system:authenticated");
            return new Decision(known || open, "");
          }

          @Override
          public List<Rule> rules(UserInfo user, String namespace) {
            return List.of();
          }
        },
        request -> {
          throw new UnsupportedOperationException(request.toString());
        });
  }

  /// One request to be sent.
  Sending send(String method, String path) {
    return new Sending(method, path);
  }

  Answer get(String path) {
    return send("GET", path).now();
  }

  Answer post(String path, String body) {
    return send("POST", path).body(body).now();
  }

  final class Sending {
    private final String method;
    private final String path;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private byte[] body = new byte[0];

    Sending(String method, String path) {
      this.method = method;
      this.path = path;
      headers.put("Authorization", "Bearer admin");
      headers.put("User-Agent", "test/1");
      headers.put("Content-Type", "application/json");
    }

    Sending header(String name, @Nullable String value) {
      if (value == null) {
        headers.remove(name);
      } else {
        headers.put(name, value);
      }
      return this;
    }

    Sending body(String json) {
      // Single quotes read better in tests.
      body = json.replace('\'', '"').getBytes(java.nio.charset.StandardCharsets.UTF_8);
      return this;
    }

    Sending body(byte[] bytes) {
      body = bytes;
      return this;
    }

    HttpRequest request() {
      HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(server.url() + path));
      headers.forEach(builder::header);
      return builder
          .method(
              method,
              body.length == 0
                  ? HttpRequest.BodyPublishers.noBody()
                  : HttpRequest.BodyPublishers.ofByteArray(body))
          .build();
    }

    Answer now() {
      try {
        HttpResponse<byte[]> response = client.send(request(), BodyHandlers.ofByteArray());
        return new Answer(response);
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    /// The lines of a stream, as they come.
    Stream<String> stream() {
      try {
        return client.send(request(), BodyHandlers.ofLines()).body();
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    /// The lines of a stream that ends by itself.
    List<JsonNode> lines() {
      List<JsonNode> lines = new ArrayList<>();
      for (String line : now().text().split("\n")) {
        if (!line.isBlank()) {
          lines.add(Json.parse(line.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }
      }
      return lines;
    }
  }

  record Answer(HttpResponse<byte[]> response) {
    int code() {
      return response.statusCode();
    }

    String text() {
      return new String(response.body(), java.nio.charset.StandardCharsets.UTF_8);
    }

    JsonNode json() {
      return Json.parse(response.body());
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    String message() {
      return json().path("message").asString("");
    }

    String at(String... path) {
      JsonNode found = Json.at(json(), path);
      return found.isMissingNode() ? "" : found.asString(found.toString());
    }
  }

  @Override
  public void close() {
    server.close();
    store.close();
  }
}
