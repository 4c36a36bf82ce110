package io.fairlead.http.server;

import io.fairlead.http.tls.TlsPolicy;
import java.net.InetAddress;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// Makes Jetty's connectors: what is spoken on a port, and with which bounds.
final class Connectors {
  /// Resets, pings and settings a second that one connection may send before it is closed: what
  /// "rapid reset" attacks live on.
  private static final int CONTROL_FRAMES = 200;

  private Connectors() {}

  /// @throws IllegalArgumentException when plain HTTP is wanted on another address than loopback
  static ServerConnector of(Server server, String address, HttpServerOptions options) {
    ServerConnector connector =
        options.tls().isEmpty()
            ? plain(server, address, options)
            : options.http2() ? negotiated(server, options) : http1(server, options);
    connector.setIdleTimeout(options.idle().toMillis());
    connector.setAcceptedTcpNoDelay(true);
    connector.setReusePort(options.reusePort());
    return connector;
  }

  private static ServerConnector plain(Server server, String address, HttpServerOptions options) {
    if (!InetAddress.ofLiteral(address).isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "plain HTTP is served on loopback addresses only, not on " + address);
    }
    return new ServerConnector(
        server, new HttpConnectionFactory(configuration(options.headerBytes())));
  }

  private static ServerConnector http1(Server server, HttpServerOptions options) {
    return new ServerConnector(
        server,
        1,
        1,
        new SslConnectionFactory(tls(options), "http/1.1"),
        new HttpConnectionFactory(secured(options)));
  }

  private static ServerConnector negotiated(Server server, HttpServerOptions options) {
    HttpConfiguration configuration = secured(options);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
    alpn.setDefaultProtocol("http/1.1");
    return new ServerConnector(
        server,
        new SslConnectionFactory(tls(options), alpn.getProtocol()),
        alpn,
        http2(configuration, options),
        new HttpConnectionFactory(configuration));
  }

  private static HTTP2ServerConnectionFactory http2(
      HttpConfiguration configuration, HttpServerOptions options) {
    HTTP2ServerConnectionFactory factory = new HTTP2ServerConnectionFactory(configuration);
    factory.setMaxConcurrentStreams(options.streams());
    factory.setRateControlFactory(new WindowRateControl.Factory(CONTROL_FRAMES));
    factory.setInitialStreamRecvWindow(options.receiveWindow());
    factory.setInitialSessionRecvWindow(4 * options.receiveWindow());
    AbstractHTTP2ServerConnectionFactory common = factory;
    common.setStreamIdleTimeout(options.idle().toMillis());
    return factory;
  }

  private static HttpConfiguration configuration(int headerBytes) {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    configuration.setSendDateHeader(true);
    configuration.setRequestHeaderSize(headerBytes);
    configuration.setHttpCompliance(HttpCompliance.RFC7230);
    return configuration;
  }

  private static HttpConfiguration secured(HttpServerOptions options) {
    HttpConfiguration configuration = configuration(options.headerBytes());
    SecureRequestCustomizer certificates = new SecureRequestCustomizer();
    // Clients reach a server by addresses and names that its certificate need not know.
    certificates.setSniHostCheck(false);
    configuration.addCustomizer(certificates);
    return configuration;
  }

  private static SslContextFactory.Server tls(HttpServerOptions options) {
    Supplier<SSLContext> contexts = options.tls().orElseThrow();
    SslContextFactory.Server factory =
        new SslContextFactory.Server() {
          @Override
          public SSLEngine newSSLEngine(String host, int port) {
            SSLEngine engine = contexts.get().createSSLEngine(host, port);
            customize(engine);
            return engine;
          }
        };
    factory.setSslContext(contexts.get());
    switch (options.clientCertificates()) {
      case NONE -> factory.setNeedClientAuth(false);
      case WANTED -> factory.setWantClientAuth(true);
      case NEEDED -> factory.setNeedClientAuth(true);
    }
    factory.setIncludeProtocols(TlsPolicy.protocols());
    factory.setExcludeCipherSuites(
        TlsPolicy.excluded(contexts.get().getSupportedSSLParameters().getCipherSuites()));
    factory.setSniRequired(false);
    factory.setRenegotiationAllowed(false);
    return factory;
  }

  /// Loads the classes behind a connector without making one.
  static void preload() {
    HttpConfiguration configuration = configuration(8 << 10);
    var _ = new HttpConnectionFactory(configuration);
    var _ = new HTTP2ServerConnectionFactory(configuration);
    var _ = new SslContextFactory.Server();
  }
}
