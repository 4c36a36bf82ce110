package io.fairlead.app;

import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.node.PodDoor;
import io.fairlead.server.ApiServer;
import io.fairlead.server.component.Page;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The real API server, with the door for pods. Owned by the thread that starts and closes it.
final class StandardServer implements Assembly.Server {
  private final Options options;
  private final ApiServer server;
  private @Nullable PodDoor door;

  StandardServer(Options options, ApiServer server) {
    this.options = options;
    this.server = server;
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public void mount(String path, Page page) {
    server.mount(path, page);
  }

  @Override
  public void serveNode(String node, String address, int port) {
    server.serveNode(node, address, port);
  }

  @Override
  public void openPodDoor() throws IOException {
    Optional<PodDoor.Place> place = options.podDoor();
    if (place.isPresent()) {
      door =
          PodDoor.open(
              new DataDirectory(options.dataDirectory()).podDoor(),
              place.get(),
              server.port(),
              server::listen);
    }
  }

  @Override
  public void reload() {
    server.reload();
  }

  @Override
  public void close() {
    server.close();
    if (door != null) {
      door.close();
    }
  }
}
