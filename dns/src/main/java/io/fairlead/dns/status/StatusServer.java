package io.fairlead.dns.status;

import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.http.status.StatusHttpServer;
import io.fairlead.http.status.StatusPage;
import io.fairlead.http.status.StatusRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The pages of several plugins at one address. Safe for any thread.
public final class StatusServer implements AutoCloseable {
  private static final int NOT_ALLOWED = 405;

  private final Map<String, Supplier<StatusPage>> pages = new ConcurrentHashMap<>();
  private final StatusHttpServer server;

  private StatusServer(InetSocketAddress address) {
    try {
      server = new StatusHttpServer(address, this::page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The one at that address, opened by the first plugin that takes it. IllegalStateException when
  /// it cannot be opened.
  public static SharedResources.Handle<StatusServer> take(
      InstanceContext instance, ListenAddress address) {
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

  /// Shows a page from now on, in place of what another plugin showed under that path.
  public void show(String path, Supplier<StatusPage> page) {
    pages.put(path, page);
  }

  /// Takes a page away unless another has taken its place.
  public void remove(String path, Supplier<StatusPage> page) {
    pages.remove(path, page);
  }

  /// Where it listens, with the port the kernel chose.
  public InetSocketAddress address() {
    return server.address();
  }

  private StatusPage page(StatusRequest request) {
    Supplier<StatusPage> page = pages.get(request.path());
    if (page == null) {
      return StatusPage.notFound();
    }
    return request.method().equals("GET") || request.method().equals("HEAD")
        ? page.get()
        : StatusPage.text(NOT_ALLOWED, "405 method not allowed\n");
  }

  @Override
  public void close() {
    server.close();
  }
}
