package io.fairlead.http.server;

import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Jetty, set up for this program: HTTP/1.1 and HTTP/2 over TLS, one virtual thread per request.
///
/// `close` stops accepting, lets running requests end for as long as the options say and then cuts
/// them.
public final class HttpServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
  private static final String CACHE_LINE = "org.eclipse.jetty.util.referencesPerCacheLine";

  static {
    // Jetty would ask the JVM's management beans for this, which takes a quarter of a second: 64
    // bytes a cache line, 4 a compressed reference.
    if (System.getProperty(CACHE_LINE) == null) {
      System.setProperty(CACHE_LINE, "16");
    }
  }

  private final HttpServerOptions options;
  private final Server server;
  private final ServerConnector connector;
  private final ExecutorService requests;
  private final ConnectionLimits limits;

  private HttpServer(HttpServerOptions options, ConnectionLimits.Options limits) {
    this.options = options;
    this.requests = Tasks.perTask(options.name() + "-request");
    QueuedThreadPool threads = new QueuedThreadPool(options.mostThreads(), options.fewestThreads());
    threads.setName(options.name());
    threads.setDaemon(!options.keepsProcess());
    threads.setVirtualThreadsExecutor(requests);
    this.server = new Server(threads);
    this.connector = Connectors.of(server, options.address(), options);
    connector.setHost(options.address());
    connector.setPort(options.port());
    connector.setAcceptQueueSize(1024);
    this.limits = new ConnectionLimits(limits, Ticker.system());
    connector.addEventListener(this.limits);
    server.addConnector(connector);
    if (options.connections() > 0) {
      server.addBean(new NetworkConnectionLimit(options.connections(), connector));
    }
    server.setErrorHandler(new StatusErrorHandler());
    server.setStopTimeout(options.farewell().toMillis());
  }

  /// Loads the classes behind a server without starting one.
  public static void preload() {
    var _ = new Server(new QueuedThreadPool());
    Connectors.preload();
  }

  /// A server that neither listens nor answers yet.
  ///
  /// @throws IllegalArgumentException when the options have no TLS but an address beyond loopback
  public static HttpServer of(HttpServerOptions options) {
    return new HttpServer(options, ConnectionLimits.Options.DEFAULT);
  }

  /// The same with other bounds on silent clients.
  static HttpServer of(HttpServerOptions options, ConnectionLimits.Options limits) {
    return new HttpServer(options, limits);
  }

  /// Listens and answers, as an API server does.
  ///
  /// @param tls null serves plain HTTP, which is refused on any address but loopback
  public static HttpServer start(
      String address, int port, @Nullable SSLContext tls, RequestHandler handler)
      throws IOException {
    HttpServer made =
        of(
            HttpServerOptions.forApi(
                address, port, Optional.ofNullable(tls).map(context -> () -> context)));
    made.start(handler);
    return made;
  }

  /// Takes the port, on the calling thread and so in its network namespace. Clients connect from
  /// now on and wait for [#start].
  public void listen() throws IOException {
    connector.open();
  }

  /// Takes a socket that listens already, in place of the port of the options. It is closed with
  /// this server.
  public void listenAt(ServerSocketChannel socket) throws IOException {
    connector.open(socket);
  }

  /// Begins to answer; takes the port first unless [#listen] has. Closes itself when that fails.
  public void start(RequestHandler handler) throws IOException {
    WebSockets webSockets =
        options.webSocketIdle().isEmpty()
            ? null
            : new WebSockets(server, options.webSocketIdle().get());
    server.setHandler(limits.around(new ExchangeHandler(handler, webSockets)));
    try {
      server.start();
    } catch (IOException e) {
      close();
      throw e;
    } catch (Exception e) {
      close();
      throw new IOException(
          "the HTTP server did not start on " + options.address() + ":" + options.port(), e);
    }
  }

  /// Serves the same on one more socket that listens already; it is closed with this server.
  public void listen(ServerSocketChannel socket) throws IOException {
    String address = socket.socket().getInetAddress().getHostAddress();
    ServerConnector another = Connectors.of(server, address, options);
    another.addEventListener(limits);
    another.open(socket);
    server.addConnector(another);
    server.manage(another);
    try {
      another.start();
    } catch (Exception e) {
      server.removeConnector(another);
      throw new IOException("the HTTP server did not start on " + address, e);
    }
  }

  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    limits.close();
    if (!server.isRunning()) {
      connector.close();
    }
    try {
      server.stop();
    } catch (Exception e) {
      // What its owner closes next must not depend on a client that still listens.
      log.atWarn()
          .addKeyValue("server", options.name())
          .setCause(e)
          .log("the HTTP server did not stop in order");
    }
    requests.shutdown();
  }
}
