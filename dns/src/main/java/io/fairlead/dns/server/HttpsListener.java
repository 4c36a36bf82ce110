package io.fairlead.dns.server;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.BlockSettings;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Questions over HTTPS (RFC 8484), HTTP/2 or HTTP/1.1.
final class HttpsListener implements Listener {
  private static final Logger log = LoggerFactory.getLogger(HttpsListener.class);
  private static final int MOST_CONNECTIONS = 200;
  private static final int MOST_STREAMS = 256;
  private static final int CONTROL_FRAMES = 200;

  private final Server server;
  private final ServerConnector connector;
  private final ExecutorService requests;
  private volatile Router router;

  HttpsListener(InetSocketAddress where, Router router, ChainRunner runner, Metrics metrics)
      throws IOException {
    this.router = router;
    if (settings().tls() == null) {
      throw new IOException("no certificate: https:// needs a tls line in the server block");
    }
    Counter responses =
        metrics.counter(
            "coredns_dns_https_responses_total",
            "Counter of DoH responses per server and http status code.",
            "server",
            "status");
    requests =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("dns-https-", 0).factory());
    QueuedThreadPool threads = new QueuedThreadPool(16, 4);
    threads.setName("dns-https");
    threads.setVirtualThreadsExecutor(requests);
    server = new Server(threads);
    connector = secure();
    connector.setHost(where.getAddress().getHostAddress());
    connector.setPort(where.getPort());
    connector.setIdleTimeout(settings().idleTimeout().toMillis());
    connector.setReusePort(true);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
    server.setHandler(new HttpsHandler(() -> this.router, runner, responses));
    try {
      server.start();
    } catch (IOException e) {
      close();
      throw e;
    } catch (Exception e) {
      close();
      throw new IOException("the HTTP server did not start", e);
    }
  }

  private BlockSettings settings() {
    return router.blocks().getFirst().settings();
  }

  private ServerConnector secure() {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendServerVersion(false);
    SecureRequestCustomizer certificates = new SecureRequestCustomizer();
    // Clients reach a resolver by addresses that its certificate need not know.
    certificates.setSniHostCheck(false);
    configuration.addCustomizer(certificates);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
    alpn.setDefaultProtocol("http/1.1");
    HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(configuration);
    http2.setMaxConcurrentStreams(MOST_STREAMS);
    http2.setRateControlFactory(new WindowRateControl.Factory(CONTROL_FRAMES));
    return new ServerConnector(
        server,
        new SslConnectionFactory(contexts(), alpn.getProtocol()),
        alpn,
        http2,
        new HttpConnectionFactory(configuration));
  }

  /// Asks for the certificate with every connection, so that a renewed one counts at once.
  private SslContextFactory.Server contexts() {
    SslContextFactory.Server factory =
        new SslContextFactory.Server() {
          @Override
          public SSLEngine newSSLEngine(String host, int port) {
            Supplier<SSLContext> newest = settings().tls();
            if (newest == null) {
              return super.newSSLEngine(host, port);
            }
            SSLEngine engine = newest.get().createSSLEngine(host, port);
            customize(engine);
            return engine;
          }
        };
    Supplier<SSLContext> first = settings().tls();
    if (first != null) {
      factory.setSslContext(first.get());
    }
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    factory.setSniRequired(false);
    switch (settings().clientAuthentication()) {
      case NONE -> factory.setNeedClientAuth(false);
      case WANTED -> factory.setWantClientAuth(true);
      case NEEDED -> factory.setNeedClientAuth(true);
    }
    return factory;
  }

  @Override
  public void route(Router now) {
    router = now;
  }

  @Override
  public InetSocketAddress address() {
    return new InetSocketAddress(connector.getHost(), connector.getLocalPort());
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      log.atWarn().setCause(e).log("the HTTP server did not stop in order");
    }
    requests.close();
  }
}
