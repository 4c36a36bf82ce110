package io.fairlead.http.server;

import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Bounds what clients hold without asking for anything: connections whose handshake or headers
/// trickle in for ever, and idle ones in great number.
///
/// How it works: every connection is known from its opening to its end, with how many of its
/// requests run and since when none does. A loop checks all of them once a second. It closes a
/// connection whose request headers are not complete in time (Jetty's idle timeout starts again
/// with every byte), and of each source the oldest quiet ones beyond a number. A source is an IPv4
/// address, or the 64 bits of an IPv6 address that name a network: a host there takes any number of
/// addresses for itself. A connection counts as authenticated when the handler has said so of a
/// request and not answered 401, and is then not counted against its source: a flood of strangers
/// takes no space from known clients.
///
/// Safe for all threads; one look-up in a map per request.
final class ConnectionLimits implements Connection.Listener, AutoCloseable {
  /// The kind of its loop.
  static final String LOOP = "http-connection-limits";

  /// The attribute of a request whose sender is known.
  static final String AUTHENTICATED = "io.fairlead.http.authenticated";

  /// The bytes of an IPv6 address that name the network.
  private static final int NETWORK_BYTES = 8;

  /// @param headers how long the headers of a request may take, from the first byte or from the
  ///   opening of the connection
  /// @param quietPerSource how many connections without a running request one address may have that
  ///   is not authenticated
  /// @param grace how old a quiet connection is at least before it is closed for their number
  record Options(Duration headers, int quietPerSource, Duration grace, Duration period) {
    static final Options DEFAULT =
        new Options(Duration.ofSeconds(32), 1000, Duration.ofSeconds(5), Duration.ofSeconds(1));
  }

  private final Options options;
  private final Ticker ticker;
  private final Map<EndPoint, Tracked> connections = new ConcurrentHashMap<>();
  private final SupervisedLoop loop;

  ConnectionLimits(Options options, Ticker ticker) {
    this.options = options;
    this.ticker = ticker;
    this.loop = SupervisedLoop.of(LOOP).platform().afterEach(options.period()).start(this::check);
  }

  /// One TCP connection.
  private static final class Tracked {
    final Connection connection;
    final String source;
    final AtomicInteger running = new AtomicInteger();
    volatile boolean authenticated;
    // HTTP/2 pings and settings are bytes without a request.
    volatile boolean multiplexed;
    // When the last request ended, or the connection was opened.
    volatile long quietSince;
    volatile long bytesThen;
    // Owned by the loop: since when headers are on their way; 0 for not.
    long headersSince;
    volatile boolean answered;
    // It speaks another protocol now, with limits of its own.
    volatile boolean upgraded;

    Tracked(Connection connection, long now) {
      this.connection = connection;
      this.source = source(connection.getEndPoint().getRemoteSocketAddress());
      this.quietSince = now;
    }
  }

  /// Whom connections from that address are counted with.
  static String source(SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return String.valueOf(address);
    }
    byte[] bytes = inet.getAddress().getAddress();
    return inet.getAddress() instanceof Inet6Address
        ? HexFormat.of().formatHex(bytes, 0, NETWORK_BYTES)
        : inet.getAddress().getHostAddress();
  }

  @Override
  public void onOpened(Connection connection) {
    EndPoint endPoint = connection.getEndPoint();
    if (!(endPoint instanceof SslConnection.SslEndPoint)) {
      connections.putIfAbsent(endPoint, new Tracked(connection, ticker.nanos()));
    }
  }

  @Override
  public void onClosed(Connection connection) {
    EndPoint endPoint = connection.getEndPoint();
    if (!endPoint.isOpen()) {
      connections.remove(endPoint);
    }
  }

  /// A handler that reports each request here and hands it on.
  Handler around(Handler inner) {
    return new Handler.Wrapper(inner) {
      @Override
      public boolean handle(Request request, Response response, Callback callback)
          throws Exception {
        Tracked tracked = tracked(request);
        if (tracked != null) {
          tracked.multiplexed =
              request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
          tracked.running.incrementAndGet();
          Request.addCompletionListener(request, _ -> ended(tracked, request, response));
        }
        return super.handle(request, response, callback);
      }
    };
  }

  private @Nullable Tracked tracked(Request request) {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    return connections.get(
        endPoint instanceof SslConnection.SslEndPoint secured
            ? secured.getSslConnection().getEndPoint()
            : endPoint);
  }

  private void ended(Tracked tracked, Request request, Response response) {
    if (request.getAttribute(AUTHENTICATED) != null && response.getStatus() != 401) {
      tracked.authenticated = true;
    }
    if (response.getStatus() == 101) {
      tracked.upgraded = true;
    }
    tracked.bytesThen = tracked.connection.getBytesIn();
    tracked.quietSince = ticker.nanos();
    tracked.answered = true;
    tracked.running.decrementAndGet();
  }

  private void check() {
    long now = ticker.nanos();
    Map<String, List<Tracked>> quiet = new HashMap<>();
    connections.forEach(
        (endPoint, tracked) -> {
          if (!endPoint.isOpen()) {
            connections.remove(endPoint);
          } else if (tracked.running.get() > 0 || tracked.upgraded) {
            tracked.headersSince = 0;
          } else if (isLate(tracked, now)) {
            endPoint.close();
          } else if (!tracked.authenticated) {
            quiet.computeIfAbsent(tracked.source, _ -> new ArrayList<>()).add(tracked);
          }
        });
    quiet.values().forEach(each -> closeOldest(each, now));
  }

  /// Whether headers have been on their way for too long.
  private boolean isLate(Tracked tracked, long now) {
    if (!tracked.answered) {
      return now - tracked.quietSince > options.headers().toNanos();
    }
    if (tracked.multiplexed || tracked.connection.getBytesIn() == tracked.bytesThen) {
      tracked.headersSince = 0;
      return false;
    }
    if (tracked.headersSince == 0) {
      tracked.headersSince = now;
    }
    return now - tracked.headersSince > options.headers().toNanos();
  }

  private void closeOldest(List<Tracked> quiet, long now) {
    int tooMany = quiet.size() - options.quietPerSource();
    if (tooMany <= 0) {
      return;
    }
    quiet.sort(Comparator.comparingLong(each -> each.quietSince));
    for (Tracked each : quiet.subList(0, tooMany)) {
      if (now - each.quietSince > options.grace().toNanos() && each.running.get() == 0) {
        each.connection.getEndPoint().close();
      }
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
