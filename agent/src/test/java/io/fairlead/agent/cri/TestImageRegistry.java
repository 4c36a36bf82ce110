package io.fairlead.agent.cri;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.agent.image.OciImage;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A registry of images to be read from, on the loopback of a namespace.
public final class TestImageRegistry implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, OciImage> images = new ConcurrentHashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile @Nullable String user;

  public TestImageRegistry(NetworkNamespace place) {
    this.server =
        place.call(
            () ->
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0));
    server.createContext("/v2/", this::answer);
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /// @param name with its tag, `test/busybox:2`
  public void put(String name, OciImage image) {
    images.put(name, image);
  }

  /// From now on only he who says this name and password is answered.
  public void only(String name, String password) {
    user =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  /// Methods and kinds of what was asked for.
  public List<String> asked() {
    return asked;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (user != null && !user.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"test\"");
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      String[] parts = path.split("/(manifests|blobs)/");
      boolean manifest = path.contains("/manifests/");
      asked.add(exchange.getRequestMethod() + (manifest ? " manifest" : " blob"));
      byte[] body = parts.length < 2 ? new byte[0] : content(parts[0], parts[1], manifest);
      if (body == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      if (manifest) {
        exchange.getResponseHeaders().set("Content-Type", OciImage.MANIFEST_TYPE);
        exchange.getResponseHeaders().set("Docker-Content-Digest", digest(parts[0], parts[1]));
      }
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private String digest(String path, String reference) {
    return images.entrySet().stream()
        .filter(one -> matches(one, path, reference))
        .map(one -> one.getValue().digest())
        .findFirst()
        .orElse("");
  }

  private byte @Nullable [] content(String path, String reference, boolean manifest) {
    return images.entrySet().stream()
        .filter(
            one ->
                manifest
                    ? matches(one, path, reference)
                    : one.getValue().blobs().containsKey(reference))
        .map(one -> manifest ? one.getValue().manifest() : one.getValue().blobs().get(reference))
        .findFirst()
        .orElse(null);
  }

  private static boolean matches(Map.Entry<String, OciImage> one, String path, String reference) {
    String name = one.getKey().substring(0, one.getKey().indexOf(':'));
    String tag = one.getKey().substring(one.getKey().indexOf(':') + 1);
    return path.equals("/v2/" + name)
        && (tag.equals(reference) || one.getValue().digest().equals(reference));
  }

  /// Makes a containerd look here for every registry.
  ///
  /// @param home the containerd's directory
  public void serveAll(Path home) throws IOException {
    Path hosts = Files.createDirectories(home.resolve("certs.d/_default"));
    String address = "http://127.0.0.1:" + port();
    Files.writeString(
        hosts.resolve("hosts.toml"),
        "server = \"%s\"\n[host.\"%s\"]\n  capabilities = [\"pull\", \"resolve\"]\n"
            .formatted(address, address));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
