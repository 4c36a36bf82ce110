package io.fairlead.client.testing;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.json.Json;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Any [Transport], such as an API in memory, as an HTTP server: what clients and processes of
/// their own talk to in tests. It is no Fairlead server, so a component is shown to stand alone.
public final class TransportHttpServer implements AutoCloseable {
  private static final Duration LONG = Duration.ofHours(1);

  private final Transport api;
  private final HttpServer server;
  private final Consumer<Headers> seen;
  private final ExecutorService executor = Tasks.perTask("test-api");

  /// Listens at once, in the network namespace of the calling thread.
  public TransportHttpServer(Transport api, InetSocketAddress address) throws IOException {
    this(api, HttpServer.create(address, 0), _ -> {});
  }

  /// Serves on one that is not started yet, such as one with TLS.
  ///
  /// @param seen is given the headers of each request
  public TransportHttpServer(Transport api, HttpServer server, Consumer<Headers> seen) {
    this.api = api;
    this.server = server;
    this.seen = seen;
    server.setExecutor(executor);
    server.createContext("/", this::answer);
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /// How a command or a process finds it.
  public String kubeconfig() {
    return """
        apiVersion: v1
        kind: Config
        current-context: c
        clusters: [{name: c, cluster: {server: "http://%s:%d"}}]
        users: [{name: c, user: {}}]
        contexts: [{name: c, context: {cluster: c, user: c}}]
        """
        .formatted(server.getAddress().getAddress().getHostAddress(), port());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      seen.accept(exchange.getRequestHeaders());
      byte[] body = exchange.getRequestBody().readAllBytes();
      Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
      ApiRequest request =
          new ApiRequest(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getRawPath(),
              query,
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Accept"))
                  .orElse(ApiRequest.JSON),
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type")).orElse(""),
              body.length == 0 ? null : Json.parse(body),
              LONG);
      if ("true".equals(query.get("watch"))) {
        watch(exchange, request);
        return;
      }
      ApiResponse answer = api.send(request);
      byte[] text = answer.text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", ApiRequest.JSON);
      exchange.sendResponseHeaders(answer.code(), text.length == 0 ? -1 : text.length);
      exchange.getResponseBody().write(text);
    }
  }

  private void watch(HttpExchange exchange, ApiRequest request) throws IOException {
    try (LineStream lines = api.stream(request)) {
      exchange.getResponseHeaders().set("Content-Type", ApiRequest.JSON);
      exchange.sendResponseHeaders(lines.code(), 0);
      OutputStream out = exchange.getResponseBody();
      out.flush();
      for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
        write(out, line.get());
        // What is ready now goes out together.
        if (lines instanceof FakeLines fake) {
          for (Optional<byte[]> more = fake.poll(); more.isPresent(); more = fake.poll()) {
            write(out, more.get());
          }
        }
        out.flush();
      }
    } catch (ConnectionException _) {
      // The transport was closed under the watch: the answer stays unfinished.
    }
  }

  private static void write(OutputStream out, byte[] line) throws IOException {
    out.write(line);
    out.write('\n');
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String pair : raw == null ? new String[0] : raw.split("&")) {
      int equal = pair.indexOf('=');
      if (equal > 0) {
        query.put(
            URLDecoder.decode(pair.substring(0, equal), StandardCharsets.UTF_8),
            URLDecoder.decode(pair.substring(equal + 1), StandardCharsets.UTF_8));
      }
    }
    return query;
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
