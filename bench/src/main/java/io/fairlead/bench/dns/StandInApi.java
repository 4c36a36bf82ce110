package io.fairlead.bench.dns;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Just enough of an API server to feed a DNS server: the state of four kinds as a stream, then
/// whatever changes. Plain HTTP on the loopback interface.
final class StandInApi implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Supplier<Stream<String>>> state;
  private final Map<String, List<OutputStream>> watchers = new ConcurrentHashMap<>();
  private final AtomicLong version = new AtomicLong(1_000_000);

  /// @param state by path, each object as JSON; called anew for every watch
  StandInApi(Map<String, Supplier<Stream<String>>> state) throws IOException {
    this.state = Map.copyOf(state);
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
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
      if (query.contains("sendInitialEvents=true")) {
        for (String object : (Iterable<String>) objects.get()::iterator) {
          write(out, "ADDED", object);
        }
        write(
            out,
            "BOOKMARK",
            "{\"metadata\":{\"resourceVersion\":\""
                + version.get()
                + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}");
      }
      out.flush();
      watchers.computeIfAbsent(path, _ -> new CopyOnWriteArrayList<>()).add(out);
    }
  }

  private static void write(OutputStream out, String type, String object) throws IOException {
    String line = "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
    out.write(line.getBytes(StandardCharsets.UTF_8));
  }

  /// Whether somebody follows that path.
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
        write(out, type, object);
        out.flush();
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
