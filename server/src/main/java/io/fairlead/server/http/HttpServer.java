package io.fairlead.server.http;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/// Jetty, set up for an API server: HTTP/1.1 and HTTP/2 over TLS, one virtual thread per request.
///
/// `close` stops accepting, lets running requests end for a short while and then cuts them.
public final class HttpServer implements AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(90);
  private static final int HEADER_BYTES = 64 << 10;

  /// More streams than any client opens; beyond it a connection waits, not the server.
  private static final int MAX_STREAMS = 1000;

  /// Resets, pings and settings a second that one connection may send before it is closed: what
  /// "rapid reset" attacks live on.
  private static final int CONTROL_FRAMES = 200;

  private static final String CACHE_LINE = "org.eclipse.jetty.util.referencesPerCacheLine";

  static {
    // Jetty would ask the JVM's management beans for this, which takes a quarter of a second: 64
    // bytes a cache line, 4 a compressed reference.
    if (System.getProperty(CACHE_LINE) == null) {
      System.setProperty(CACHE_LINE, "16");
    }
  }

  private final Server server;
  private final ServerConnector connector;
  private final @Nullable SSLContext tls;

  private HttpServer(Server server, ServerConnector connector, @Nullable SSLContext tls) {
    this.server = server;
    this.connector = connector;
    this.tls = tls;
  }

  /// Loads the classes behind a server without starting one.
  public static void preload() {
    var _ = new Server(new QueuedThreadPool());
    var _ = new HttpConnectionFactory(configuration());
    var _ = http2(configuration());
    var _ = new SslContextFactory.Server();
  }

  /// Starts to listen.
  ///
  /// @param tls null serves plain HTTP, which is refused on any address but loopback
  public static HttpServer start(
      String address, int port, @Nullable SSLContext tls, RequestHandler handler)
      throws IOException {
    QueuedThreadPool threads = new QueuedThreadPool(64, 8);
    threads.setName("http");
    threads.setVirtualThreadsExecutor(
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("request-", 0).factory()));
    Server server = new Server(threads);
    ServerConnector connector = connector(server, address, tls);
    connector.setHost(address);
    connector.setPort(port);
    connector.setAcceptQueueSize(1024);
    server.addConnector(connector);
    server.setErrorHandler(new StatusErrors());
    server.setHandler(new ExchangeHandler(handler, new WebSockets(server)));
    server.setStopTimeout(2000);
    try {
      server.start();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the HTTP server did not start on " + address + ":" + port, e);
    }
    return new HttpServer(server, connector, tls);
  }

  /// Serves the same on one more socket that listens already; it is closed with this server.
  public void listen(ServerSocketChannel socket) throws IOException {
    String address = socket.socket().getInetAddress().getHostAddress();
    ServerConnector another = connector(server, address, tls);
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
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP server did not stop", e);
    }
  }

  private static ServerConnector connector(
      Server server, String address, @Nullable SSLContext tls) {
    ServerConnector connector =
        tls == null ? plain(server, address) : secure(server, configuration(), tls);
    connector.setIdleTimeout(IDLE.toMillis());
    connector.setAcceptedTcpNoDelay(true);
    return connector;
  }

  private static ServerConnector plain(Server server, String address) {
    if (!java.net.InetAddress.ofLiteral(address).isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "plain HTTP is served on loopback addresses only, not on " + address);
    }
    return new ServerConnector(server, new HttpConnectionFactory(configuration()));
  }

  private static ServerConnector secure(
      Server server, HttpConfiguration configuration, SSLContext tls) {
    SecureRequestCustomizer certificates = new SecureRequestCustomizer();
    // Clients reach this server by addresses and names that its certificate need not know.
    certificates.setSniHostCheck(false);
    configuration.addCustomizer(certificates);
    SslContextFactory.Server factory = new SslContextFactory.Server();
    factory.setSslContext(tls);
    factory.setWantClientAuth(true);
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    factory.setExcludeCipherSuites("^.*_(MD5|SHA|SHA1)$", "^TLS_RSA_.*$", "^.*_NULL_.*$");
    factory.setSniRequired(false);
    factory.setRenegotiationAllowed(false);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
    alpn.setDefaultProtocol("http/1.1");
    return new ServerConnector(
        server,
        new SslConnectionFactory(factory, alpn.getProtocol()),
        alpn,
        http2(configuration),
        new HttpConnectionFactory(configuration));
  }

  private static HTTP2ServerConnectionFactory http2(HttpConfiguration configuration) {
    HTTP2ServerConnectionFactory factory = new HTTP2ServerConnectionFactory(configuration);
    factory.setMaxConcurrentStreams(MAX_STREAMS);
    factory.setRateControlFactory(
        new org.eclipse.jetty.io.WindowRateControl.Factory(CONTROL_FRAMES));
    factory.setInitialStreamRecvWindow(1 << 20);
    factory.setInitialSessionRecvWindow(4 << 20);
    AbstractHTTP2ServerConnectionFactory common = factory;
    common.setStreamIdleTimeout(IDLE.toMillis());
    return factory;
  }

  private static HttpConfiguration configuration() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setSendDateHeader(true);
    configuration.setRequestHeaderSize(HEADER_BYTES);
    configuration.setHttpCompliance(HttpCompliance.RFC7230);
    return configuration;
  }
}
