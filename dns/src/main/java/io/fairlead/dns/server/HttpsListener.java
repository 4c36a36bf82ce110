package io.fairlead.dns.server;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerOptions;
import io.fairlead.http.server.HttpServerOptions.ClientCertificates;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/// Questions over HTTPS (RFC 8484), HTTP/2 or HTTP/1.1.
final class HttpsListener implements DnsListener {
  private final InetSocketAddress where;
  private final HttpServer server;
  private volatile Router router;

  HttpsListener(InetSocketAddress where, Router router, ChainRunner runner, Metrics metrics)
      throws IOException {
    this.where = where;
    this.router = router;
    Supplier<SSLContext> first = settings().tls();
    if (first == null) {
      throw new IOException("no certificate: https:// needs a tls line in the server block");
    }
    Counter responses =
        metrics.counter(
            "coredns_dns_https_responses_total",
            "Counter of DoH responses per server and http status code.",
            "server",
            "status");
    server =
        HttpServer.of(
            HttpServerOptions.forDns(
                where.getAddress().getHostAddress(),
                where.getPort(),
                () -> newest(first),
                clientCertificates(),
                settings().idleTimeout()));
    server.start(new HttpsHandler(() -> this.router, runner, responses));
  }

  private BlockSettings settings() {
    return router.blocks().getFirst().settings();
  }

  /// Asked with every connection, so that a renewed certificate counts at once.
  private SSLContext newest(Supplier<SSLContext> first) {
    Supplier<SSLContext> now = settings().tls();
    return now == null ? first.get() : now.get();
  }

  private ClientCertificates clientCertificates() {
    return switch (settings().clientAuthentication()) {
      case NONE -> ClientCertificates.NONE;
      case WANTED -> ClientCertificates.WANTED;
      case NEEDED -> ClientCertificates.NEEDED;
    };
  }

  @Override
  public void route(Router now) {
    router = now;
  }

  @Override
  public InetSocketAddress address() {
    return new InetSocketAddress(where.getAddress(), server.port());
  }

  @Override
  public void close() {
    server.close();
  }
}
