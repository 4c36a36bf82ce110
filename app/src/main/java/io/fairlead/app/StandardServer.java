package io.fairlead.app;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.node.PodApiListener;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.SharedWatches;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.server.ApiServer;
import io.fairlead.server.component.BrowserUsers;
import io.fairlead.server.component.ComponentPage;
import io.fairlead.server.component.UserPage;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The real API server, with the listener for pods. Owned by the thread that starts and closes it.
final class StandardServer implements ComponentFactory.Server {
  /// What more than one component follows.
  static final Set<ResourceType> SHARED =
      Set.of(
          ResourceType.NAMESPACES,
          ResourceType.NODES,
          ResourceType.PODS,
          ResourceType.SERVICES,
          ResourceType.ENDPOINT_SLICES,
          ResourceType.SERVICE_CIDRS);

  private final Options options;
  private final ApiServer server;
  private final List<ChangeJournal> journals = new ArrayList<>();
  private @Nullable PodApiListener podListener;
  // Guarded by this.
  private @Nullable Client watcher;
  private @Nullable SharedWatches watches;

  StandardServer(Options options, ApiServer server) {
    this.options = options;
    this.server = server;
    keep("apiserver", server::recorded);
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public void mount(String path, ComponentPage page) {
    server.mount(path, page);
  }

  @Override
  public void mount(String path, UserPage page) {
    server.mount(path, page);
  }

  @Override
  public void mountForBrowsers(String path, Function<BrowserUsers, RequestHandler> pages) {
    server.mountForBrowsers(path, pages);
  }

  @Override
  public void record(Supplier<Optional<ChangeRing>> recorder) {
    server.record(recorder);
    keep("controllers", recorder);
  }

  @Override
  public void keep(String name, Supplier<Optional<ChangeRing>> recorder) {
    journals.add(
        ChangeJournal.start(new DataDirectory(options.dataDirectory()).history(), name, recorder));
  }

  @Override
  public void serveNode(String node, String address, int port) {
    server.serveNode(node, address, port);
  }

  @Override
  public void openPodApi() throws IOException {
    Optional<PodApiListener.ListenAddress> place = options.podApi();
    if (place.isPresent()) {
      podListener =
          PodApiListener.open(
              new DataDirectory(options.dataDirectory()).podApi(),
              place.get(),
              server.port(),
              server::listen);
    }
  }

  @Override
  public Client sharing(Client client) {
    return client.sharing(watches());
  }

  /// Made for the first component, by an administrator's client: each of the others may read less.
  private synchronized SharedWatches watches() {
    if (watches == null) {
      try {
        watcher = LocalApi.of(options, this).client("admin", "fairlead-up");
        watches = new SharedWatches(watcher, SHARED);
      } catch (IOException | GeneralSecurityException e) {
        throw new IllegalStateException("no client for the shared watches", e);
      }
    }
    return watches;
  }

  private synchronized void closeWatches() {
    if (watches != null) {
      watches.close();
    }
    if (watcher != null) {
      watcher.close();
    }
  }

  @Override
  public void reload() {
    server.reload();
  }

  @Override
  public void close() {
    closeWatches();
    journals.forEach(ChangeJournal::close);
    server.close();
    if (podListener != null) {
      podListener.close();
    }
  }
}
