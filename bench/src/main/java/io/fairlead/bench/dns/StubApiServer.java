package io.fairlead.bench.dns;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Just enough of an API server to feed a DNS server: the state of four kinds as a stream, then
/// whatever changes. Plain HTTP on the loopback interface.
final class StubApiServer implements AutoCloseable {
  /// What objects of a path are, for clients that look.
  private static final Map<String, String> KINDS =
      Map.of(
          Population.NAMESPACES, "\"kind\":\"Namespace\",\"apiVersion\":\"v1\"",
          Population.SERVICES, "\"kind\":\"Service\",\"apiVersion\":\"v1\"",
          Population.PODS, "\"kind\":\"Pod\",\"apiVersion\":\"v1\"",
          Population.SLICES, "\"kind\":\"EndpointSlice\",\"apiVersion\":\"discovery.k8s.io/v1\"");

  private final HttpServer server;
  private final Map<String, Supplier<Stream<String>>> state;
  private final Map<String, List<OutputStream>> watchers = new ConcurrentHashMap<>();
  private final AtomicLong version = new AtomicLong(1_000_000);

  /// @param state by path, each object as JSON; called for every watch
  StubApiServer(Map<String, Supplier<Stream<String>>> state) throws IOException {
    this.state = Map.copyOf(state);
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 64);
    server.setExecutor(Tasks.perTask("bench"));
    server.createContext("/", this::handle);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Supplier<Stream<String>> objects = state.get(path);
    if (objects == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    synchronized (out) {
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      if (!query.contains("watch=")) {
        list(out, path, objects);
        return;
      }
      if (query.contains("sendInitialEvents=true")) {
        for (String object : (Iterable<String>) objects.get()::iterator) {
          write(out, path, "ADDED", object);
        }
        write(
            out,
            path,
            "BOOKMARK",
            "{\"metadata\":{\"resourceVersion\":\""
                + version.get()
                + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}");
      }
      out.flush();
      watchers.computeIfAbsent(path, _ -> new CopyOnWriteArrayList<>()).add(out);
    }
  }

  private void list(OutputStream out, String path, Supplier<Stream<String>> objects)
      throws IOException {
    String kind = kind(path).replaceFirst("\",", "List\",");
    String head = "{" + kind + ",\"metadata\":{\"resourceVersion\":\"" + version.get() + "\"},";
    String items = objects.get().collect(Collectors.joining(",", "\"items\":[", "]}"));
    out.write((head + items).getBytes(StandardCharsets.UTF_8));
    out.close();
  }

  private static String kind(String path) {
    return KINDS.getOrDefault(path, "");
  }

  private static void write(OutputStream out, String path, String type, String object)
      throws IOException {
    String typed = "{" + kind(path) + "," + object.substring(1);
    String line = "{\"type\":\"" + type + "\",\"object\":" + typed + "}\n";
    out.write(line.getBytes(StandardCharsets.UTF_8));
  }

  /// Whether a client watches that path.
  boolean watched(String path) {
    return !watchers.getOrDefault(path, List.of()).isEmpty();
  }

  /// A version later than all before.
  long nextVersion() {
    return version.incrementAndGet();
  }

  /// Sends a change to all who follow that path.
  void send(String path, String type, String object) throws IOException {
    for (OutputStream out : watchers.getOrDefault(path, List.of())) {
      synchronized (out) {
        write(out, path, type, object);
        out.flush();
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
