package io.fairlead.dns.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Shared;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Pages at one address. Safe for any thread.
public final class StatusServer implements AutoCloseable {
  private static final int BACKLOG = 128;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Supplier<Page>> pages = new ConcurrentHashMap<>();

  private StatusServer(InetSocketAddress address) {
    try {
      server = HttpServer.create(address, BACKLOG);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /// The one at that address, opened if nobody has it yet. IllegalStateException when it cannot be
  /// opened.
  public static Shared.Taken<StatusServer> take(InstanceContext instance, ListenAddress address) {
    try {
      return instance
          .shared()
          .take(
              "status pages at " + address,
              StatusServer.class,
              () -> new StatusServer(address.resolve()));
    } catch (UncheckedIOException e) {
      throw new IllegalStateException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
  }

  /// Shows a page from now on, in place of what another showed under that path.
  public void show(String path, Supplier<Page> page) {
    pages.put(path, page);
  }

  /// Takes a page away unless another has taken its place.
  public void remove(String path, Supplier<Page> page) {
    pages.remove(path, page);
  }

  /// Where it really listens.
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      Supplier<Page> found = pages.get(exchange.getRequestURI().getPath());
      boolean head = method.equals("HEAD");
      Page page =
          found == null
              ? Page.text(NOT_FOUND, "404 page not found\n")
              : head || method.equals("GET")
                  ? found.get()
                  : Page.text(NOT_ALLOWED, "405 method not allowed\n");
      exchange.getResponseHeaders().set("Content-Type", page.type());
      exchange.sendResponseHeaders(page.code(), head ? -1 : page.body().length);
      if (!head) {
        exchange.getResponseBody().write(page.body());
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
