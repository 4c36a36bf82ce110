package io.fairlead.agent.api;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerOptions;
import java.io.IOException;
import java.time.InstantSource;

/// The node's own server: HTTP/1.1 over TLS, where the API server fetches logs and reaches into
/// containers. It listens before the node is registered, so that the Node can name its port, and
/// answers once it knows the pods.
public final class NodeServer implements AutoCloseable {
  private final HttpServer server;
  private final NodeServerOptions options;

  private NodeServer(HttpServer server, NodeServerOptions options) {
    this.server = server;
    this.options = options;
  }

  /// Takes the port.
  ///
  /// @param host the node's network
  /// @throws IllegalStateException when the port cannot be listened on
  public static NodeServer open(NodeServerOptions options, HostNamespace host) {
    HttpServer server =
        HttpServer.of(HttpServerOptions.forNode(options.address(), options.port(), options.tls()));
    HostNamespace where = options.inside() ? host : HostNamespace.OWN;
    where.run(
        () -> {
          try {
            server.listen();
          } catch (IOException e) {
            server.close();
            throw new IllegalStateException(
                "the node's server cannot listen on "
                    + options.address()
                    + ":"
                    + options.port()
                    + ": "
                    + e.getMessage(),
                e);
          }
        });
    return new NodeServer(server, options);
  }

  /// Begins to answer.
  public void start(NodePods pods, NodeStatsProvider figures, InstantSource clock) {
    try {
      server.start(new NodeHandler(pods, figures, options, clock));
    } catch (IOException e) {
      throw new IllegalStateException("the node's server did not start", e);
    }
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
  }
}
