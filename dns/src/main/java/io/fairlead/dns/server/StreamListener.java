package io.fairlead.dns.server;

import io.fairlead.client.time.Pacer;
import io.fairlead.client.time.Ticker;
import io.fairlead.dns.metrics.ServerMetrics;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.Scheme;
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

/// Questions over TCP, plain or inside TLS. A connection is a virtual thread, so one that does
/// nothing costs next to nothing; when there are too many, the one idle longest goes.
final class StreamListener implements Listener {
  private static final Logger log = LoggerFactory.getLogger(StreamListener.class);
  private static final int MOST_CONNECTIONS = 10_000;
  private static final int BACKLOG = 1024;
  private static final Duration LOOK = Duration.ofSeconds(1);

  /// What connections of all listeners share.
  record Services(
      ChainRunner runner,
      ServerMetrics metrics,
      Ticker ticker,
      Pacer pacer,
      RandomGenerator random) {}

  private final ServerSocket socket;
  private final Services services;
  private final Set<StreamConnection> connections = ConcurrentHashMap.newKeySet();
  private final Thread acceptor;
  private final Thread watcher;
  private volatile Router router;
  private volatile boolean closed;

  StreamListener(InetSocketAddress where, Router router, Services services) throws IOException {
    this.router = router;
    this.services = services;
    this.socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      socket.bind(where, BACKLOG);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    String name = "dns-tcp-" + socket.getLocalPort();
    acceptor = Thread.ofVirtual().name(name).start(this::accept);
    watcher = Thread.ofVirtual().name(name + "-watcher").start(this::watch);
  }

  @Override
  public void route(Router now) {
    router = now;
  }

  Router router() {
    return router;
  }

  Services services() {
    return services;
  }

  RandomGenerator dice() {
    return new SplittableRandom(services.random().nextLong());
  }

  @Override
  public InetSocketAddress address() {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  /// How the first block wants its connections; all blocks of a listener should agree.
  BlockSettings settings() {
    return router.blocks().getFirst().settings();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = socket.accept();
        if (connections.size() >= MOST_CONNECTIONS) {
          evict();
        }
        StreamConnection connection = new StreamConnection(client, this);
        connections.add(connection);
        Thread.ofVirtual().name("dns-connection").start(() -> serve(connection));
      } catch (IOException e) {
        if (!closed) {
          log.atWarn().setCause(e).log("cannot accept a connection");
        }
      }
    }
  }

  private void serve(StreamConnection connection) {
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
    secure.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
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
        .min(Comparator.comparingLong(StreamConnection::usedAt))
        .ifPresent(StreamConnection::close);
  }

  private void watch() {
    try {
      while (!closed) {
        services.pacer().pause(LOOK);
        long now = services.ticker().nanos();
        long most = settings().writeTimeout().toNanos();
        for (StreamConnection connection : connections) {
          if (connection.writingFor(now) > most) {
            connection.close();
          }
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    watcher.interrupt();
    try {
      socket.close();
      acceptor.join();
      watcher.join();
    } catch (IOException e) {
      log.atDebug().setCause(e).log("cannot close a listener");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    connections.forEach(StreamConnection::close);
  }
}
