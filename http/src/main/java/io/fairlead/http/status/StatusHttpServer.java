package io.fairlead.http.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Serves small pages over plain HTTP, each request on a virtual thread. `HEAD` gets the headers of
/// the page.
///
/// It is the JDK's server and not Jetty: a node has one proxy and often one DNS server, and both
/// must start fast and stay small.
public final class StatusHttpServer implements AutoCloseable {
  private static final int BACKLOG = 128;
  private static final String BEARER = "Bearer ";

  private final HttpServer server;
  private final ExecutorService executor = Tasks.perTask("status-page");

  /// Listens at once.
  ///
  /// @param address a port of 0 takes a free one
  /// @param handler makes the page; when it throws, the connection is cut
  public StatusHttpServer(InetSocketAddress address, Function<StatusRequest, StatusPage> handler)
      throws IOException {
    server = HttpServer.create(address, BACKLOG);
    server.setExecutor(executor);
    server.createContext("/", exchange -> answer(exchange, handler));
    server.start();
  }

  private static void answer(HttpExchange exchange, Function<StatusRequest, StatusPage> handler)
      throws IOException {
    try (exchange) {
      StatusPage page = handler.apply(request(exchange));
      exchange.getResponseHeaders().set("Content-Type", page.type());
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      page.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
      boolean headOnly = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(
          page.code(), headOnly || page.body().length == 0 ? -1 : page.body().length);
      if (!headOnly && page.body().length > 0) {
        exchange.getResponseBody().write(page.body());
      }
    }
  }

  private static StatusRequest request(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    return new StatusRequest(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getPath(),
        query == null ? "" : query,
        exchange.getLocalAddress().getAddress().getAddress().length == 4,
        token(exchange.getRequestHeaders().getFirst("Authorization")));
  }

  private static String token(@Nullable String header) {
    return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? header.substring(BEARER.length()).strip()
        : "";
  }

  /// Where it listens.
  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
