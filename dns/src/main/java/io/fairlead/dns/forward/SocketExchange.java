package io.fairlead.dns.forward;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.work.Ticker;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Asks servers over real sockets: UDP, TCP, TLS and HTTPS, with connections kept for reuse.
///
/// A connection carries one query at a time. One that was kept may have been closed by the other
/// side meanwhile: then the query goes out again on a new one before the server is blamed.
final class SocketExchange implements UpstreamExchange {
  /// The most bytes a message can have.
  static final int LARGEST = 65535;

  private record Line(UpstreamAddress target, boolean stream) {}

  private final ForwardOptions.Connections options;
  private final Dialer dialer;
  private final HttpsExchange https;
  private final Ticker ticker;
  private final Counter hits;
  private final Counter misses;
  private final Map<Line, IdleConnections<UpstreamConnection>> idle = new ConcurrentHashMap<>();

  SocketExchange(ForwardOptions options, Ticker ticker, Metrics metrics) {
    this.options = options.connections();
    this.dialer = new Dialer(options);
    this.https = new HttpsExchange(options.tls());
    this.ticker = ticker;
    this.hits =
        metrics.counter(
            "coredns_proxy_conn_cache_hits_total",
            "Counter of connection cache hits per upstream and protocol.",
            "proxy_name",
            "to",
            "proto");
    this.misses =
        metrics.counter(
            "coredns_proxy_conn_cache_misses_total",
            "Counter of connection cache misses per upstream and protocol.",
            "proxy_name",
            "to",
            "proto");
  }

  @Override
  public DnsMessage ask(UpstreamAddress target, DnsMessage query, boolean stream, Duration time)
      throws IOException {
    if (target.protocol() == UpstreamAddress.Protocol.HTTPS) {
      return https.ask(target, query, time);
    }
    boolean encrypted = target.protocol() == UpstreamAddress.Protocol.TLS;
    IdleConnections<UpstreamConnection> pool =
        idle.computeIfAbsent(
            new Line(target, stream || encrypted), _ -> new IdleConnections<>(options, ticker));
    String protocol = encrypted ? "tcp-tls" : stream ? "tcp" : "udp";
    IdleConnections.@Nullable Borrowed<UpstreamConnection> kept = pool.take();
    if (kept != null) {
      hits.labelValues("forward", target.toString(), protocol).inc();
      try {
        return converse(pool, kept, query, time);
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        // Closed while it waited; the next one is new.
      }
    }
    misses.labelValues("forward", target.toString(), protocol).inc();
    UpstreamConnection connection = dialer.open(target, stream || encrypted, time);
    return converse(pool, pool.opened(connection), query, time);
  }

  private static DnsMessage converse(
      IdleConnections<UpstreamConnection> pool,
      IdleConnections.Borrowed<UpstreamConnection> lent,
      DnsMessage query,
      Duration time)
      throws IOException {
    boolean good = false;
    try {
      DnsMessage answer = lent.connection().ask(query, time);
      good = true;
      return answer;
    } finally {
      if (good) {
        pool.giveBack(lent);
      } else {
        lent.connection().close();
      }
    }
  }

  @Override
  public void close() {
    idle.values().forEach(IdleConnections::close);
    https.close();
  }
}
