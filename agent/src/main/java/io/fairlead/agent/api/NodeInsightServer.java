package io.fairlead.agent.api;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.HttpServerOptions;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a node's server answers below `/fairlead/v1/`, alone: for a component of a node that runs
/// without an agent.
///
/// Most are never asked. So the server is made when the first client connects; until then there is
/// a socket and a loop, `insight-listener`, that waits at it.
public final class NodeInsightServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeInsightServer.class);

  private final ServerSocketChannel socket;
  private final NodeServerOptions options;
  private final NodeInsightEndpoint endpoint;
  private final SupervisedLoop loop;
  // Guarded by this.
  private @Nullable HttpServer server;
  private boolean closed;

  private NodeInsightServer(ServerSocketChannel socket, NodeServerOptions options) {
    this.socket = socket;
    this.options = options;
    this.endpoint = new NodeInsightEndpoint(options, NodePodPlaces.UNKNOWN);
    this.loop = SupervisedLoop.of("insight-listener").platform().build(this::await);
  }

  /// Listens from now on.
  ///
  /// @param options where, and who answers
  /// @throws IOException when the port cannot be listened on
  public static NodeInsightServer open(NodeServerOptions options) throws IOException {
    ServerSocketChannel socket = ServerSocketChannel.open();
    try {
      socket.bind(new InetSocketAddress(options.address(), options.port()));
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
    NodeInsightServer made = new NodeInsightServer(socket, options);
    made.loop.start();
    return made;
  }

  /// Where it listens.
  public int port() {
    return socket.socket().getLocalPort();
  }

  /// Waits for the first client, and ends: the server has threads of its own.
  private void await() throws IOException {
    socket.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      SelectionKey _ = socket.register(selector, SelectionKey.OP_ACCEPT);
      if (selector.select() == 0) {
        return;
      }
    }
    socket.configureBlocking(true);
    serve();
    loop.finish();
  }

  private synchronized void serve() throws IOException {
    if (closed || server != null) {
      return;
    }
    HttpServer made =
        HttpServer.of(HttpServerOptions.forNode(options.address(), options.port(), options.tls()));
    made.listenAt(socket);
    made.start(this::answer);
    server = made;
  }

  private void answer(HttpServerExchange exchange) throws IOException, InterruptedException {
    NodeCall call = new NodeCall(exchange);
    try {
      List<String> path = call.path();
      endpoint.serve(
          call, path.isEmpty() || !path.getFirst().equals("fairlead") ? List.of() : path);
    } catch (ApiException e) {
      refuse(call, e);
    } catch (RuntimeException e) {
      log.atError().addKeyValue("path", exchange.maskedUri()).setCause(e).log("request failed");
      refuse(call, ApiException.internal("this is a fault of the node; its log says more"));
    }
  }

  private static void refuse(NodeCall call, ApiException why) throws IOException {
    if (call.isCommitted()) {
      throw why;
    }
    call.send(why.status());
  }

  @Override
  public void close() {
    loop.close();
    HttpServer made;
    synchronized (this) {
      closed = true;
      made = server;
    }
    if (made != null) {
      made.close();
    }
    try {
      socket.close();
    } catch (IOException e) {
      log.atDebug().setCause(e).log("the socket was not closed");
    }
  }
}
