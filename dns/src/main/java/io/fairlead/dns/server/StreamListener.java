package io.fairlead.dns.server;

import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.Scheme;
import io.fairlead.http.tls.TlsPolicy;
import io.fairlead.work.Backoff;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Queries over TCP, plain or inside TLS. Each connection has a virtual thread, so an idle one
/// costs next to nothing; when there are too many, the listener closes the one idle longest.
final class StreamListener implements DnsListener {
  private static final Logger log = LoggerFactory.getLogger(StreamListener.class);
  private static final int MOST_CONNECTIONS = 10_000;
  private static final int BACKLOG = 1024;
  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1));

  /// What connections of all listeners share.
  record ListenerContext(
      ChainRunner runner,
      DnsServerMetrics metrics,
      Ticker ticker,
      Pacer pacer,
      RandomGenerator random) {}

  private final ServerSocket socket;
  private final ListenerContext context;
  private final Set<DnsStreamConnection> connections = ConcurrentHashMap.newKeySet();
  private final SupervisedLoop acceptor;
  private final SupervisedLoop watcher;
  private volatile Router router;

  StreamListener(InetSocketAddress where, Router router, ListenerContext context)
      throws IOException {
    this.router = router;
    this.context = context;
    this.socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      socket.bind(where, BACKLOG);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    acceptor =
        SupervisedLoop.of("dns-tcp-accept")
            .key(socket.getLocalPort())
            .backoff(BACKOFF)
            .stopBy(this::closeSocket)
            .start(this::accept);
    watcher =
        SupervisedLoop.of("dns-tcp-write-timeout")
            .key(socket.getLocalPort())
            .start(this::closeStalled);
  }

  @Override
  public void route(Router now) {
    router = now;
  }

  Router router() {
    return router;
  }

  ListenerContext context() {
    return context;
  }

  RandomGenerator newRandom() {
    return new SplittableRandom(context.random().nextLong());
  }

  @Override
  public InetSocketAddress address() {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  /// How the first block wants its connections; all blocks of a listener should agree.
  BlockSettings settings() {
    return router.blocks().getFirst().settings();
  }

  /// Accepts one connection. When none can be accepted, for want of descriptors for instance, the
  /// loop waits before it tries again.
  private void accept() throws IOException {
    Socket client = socket.accept();
    if (connections.size() >= MOST_CONNECTIONS) {
      evict();
    }
    DnsStreamConnection connection = new DnsStreamConnection(client, this);
    connections.add(connection);
    Tasks.start("dns-connection", () -> serve(connection));
  }

  private void serve(DnsStreamConnection connection) {
    try {
      connection.run();
    } catch (IOException | RuntimeException e) {
      // Time-outs, resets, failed handshakes: a client's own affair.
      log.atDebug().setCause(e).log("a connection ended");
    } finally {
      connections.remove(connection);
      connection.close();
    }
  }

  /// Puts TLS around a connection where the listener's scheme says so.
  Socket secured(Socket plain) throws IOException {
    if (router.key().scheme() != Scheme.TLS) {
      return plain;
    }
    BlockSettings settings = settings();
    Supplier<SSLContext> contexts = settings.tls();
    if (contexts == null) {
      throw new IOException("no certificate: the server block has no tls line");
    }
    SSLSocket secure =
        (SSLSocket)
            contexts
                .get()
                .getSocketFactory()
                .createSocket(
                    plain, plain.getInetAddress().getHostAddress(), plain.getPort(), true);
    secure.setUseClientMode(false);
    TlsPolicy.restrict(secure);
    switch (settings.clientAuthentication()) {
      case NONE -> secure.setNeedClientAuth(false);
      case WANTED -> secure.setWantClientAuth(true);
      case NEEDED -> secure.setNeedClientAuth(true);
    }
    secure.startHandshake();
    return secure;
  }

  private void evict() {
    connections.stream()
        .min(Comparator.comparingLong(DnsStreamConnection::usedAt))
        .ifPresent(DnsStreamConnection::close);
  }

  /// Closes connections whose client does not read what it asked for.
  private void closeStalled() throws InterruptedException {
    context.pacer().pause(CHECK_EVERY);
    long now = context.ticker().nanos();
    long most = settings().writeTimeout().toNanos();
    for (DnsStreamConnection connection : connections) {
      if (connection.writingFor(now) > most) {
        connection.close();
      }
    }
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException e) {
      log.atDebug().setCause(e).log("cannot close a listener");
    }
  }

  @Override
  public void close() {
    acceptor.close();
    watcher.close();
    connections.forEach(DnsStreamConnection::close);
  }
}
