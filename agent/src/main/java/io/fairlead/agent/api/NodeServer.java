package io.fairlead.agent.api;

import io.fairlead.agent.network.HostNamespace;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The node's own server: HTTP/1.1 over TLS, where the API server fetches logs and reaches into
/// containers. It listens before the node is registered, so that the Node can name its port, and
/// answers once it knows the pods.
public final class NodeServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeServer.class);
  private static final Duration IDLE = Duration.ofSeconds(90);
  private static final Duration STREAM_IDLE = Duration.ofHours(4);

  private final Server server;
  private final ServerConnector connector;
  private final NodeServerOptions options;

  private NodeServer(Server server, ServerConnector connector, NodeServerOptions options) {
    this.server = server;
    this.connector = connector;
    this.options = options;
  }

  /// Takes the port.
  ///
  /// @param host the node's network
  /// @throws IllegalStateException when the port cannot be listened on
  public static NodeServer open(NodeServerOptions options, HostNamespace host) {
    QueuedThreadPool threads = new QueuedThreadPool(16, 2);
    threads.setName("node server");
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("node request-", 0).factory()));
    Server server = new Server(threads);
    ServerConnector connector =
        new ServerConnector(server, 1, 1, tls(options), new HttpConnectionFactory(configuration()));
    connector.setHost(options.address());
    connector.setPort(options.port());
    connector.setIdleTimeout(IDLE.toMillis());
    connector.setAcceptedTcpNoDelay(true);
    server.addConnector(connector);
    // Streams last as long as their users want: nobody waits for them at the end.
    server.setStopTimeout(0);
    HostNamespace where = options.inside() ? host : HostNamespace.OWN;
    where.run(
        () -> {
          try {
            connector.open();
          } catch (IOException e) {
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
    return new NodeServer(server, connector, options);
  }

  /// Begins to answer.
  public void start(NodePods pods, NodeFigures figures, InstantSource clock) {
    ServerWebSocketContainer webSockets = ServerWebSocketContainer.ensure(server);
    webSockets.setIdleTimeout(STREAM_IDLE);
    server.setHandler(new NodeHandler(pods, figures, options.access(), webSockets, clock));
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("the node's server did not start", e);
    }
  }

  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    connector.close();
    try {
      server.stop();
    } catch (Exception e) {
      // The pods' own end must not depend on somebody who still listens to them.
      log.atInfo().setCause(e).log("the node's server did not stop in an orderly way");
    }
  }

  private static SslConnectionFactory tls(NodeServerOptions options) {
    SslContextFactory.Server factory = new SslContextFactory.Server();
    factory.setSslContext(options.tls());
    // A certificate is judged by whoever decides on access, and answered with 401.
    factory.setWantClientAuth(true);
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    factory.setExcludeCipherSuites("^.*_(MD5|SHA|SHA1)$", "^TLS_RSA_.*$", "^.*_NULL_.*$");
    factory.setSniRequired(false);
    factory.setRenegotiationAllowed(false);
    return new SslConnectionFactory(factory, "http/1.1");
  }

  private static HttpConfiguration configuration() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setRequestHeaderSize(64 << 10);
    configuration.setHttpCompliance(HttpCompliance.RFC7230);
    SecureRequestCustomizer certificates = new SecureRequestCustomizer();
    certificates.setSniHostCheck(false);
    configuration.addCustomizer(certificates);
    return configuration;
  }
}
