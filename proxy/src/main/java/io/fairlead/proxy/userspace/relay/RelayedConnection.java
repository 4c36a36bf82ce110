package io.fairlead.proxy.userspace.relay;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.Epoll;
import io.fairlead.kernel.syscall.NativeSocketAddress;
import io.fairlead.kernel.syscall.NonBlockingSockets;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.userspace.balance.PooledEndpoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A client's TCP connection and the one to its endpoint. Owned by the loop's thread.
///
/// How it works: up to four endpoints are tried, each for twice as long as the one before. Then
/// bytes are carried both ways until both have ended; one way may end long before the other. A
/// reset on one side becomes a reset on the other.
final class RelayedConnection {
  static final int ATTEMPTS = 4;

  private static final Logger log = LoggerFactory.getLogger(RelayedConnection.class);
  private static final long FIRST_LIMIT = 250_000_000L;
  private static final int READS_IN_A_ROW = 8;
  private static final int KEEP_ALIVE_SECONDS = 60;

  private final RelayEventLoop loop;
  private final Portal portal;
  private final boolean ipv4;
  private final long high;
  private final long low;
  private final int clientPort;
  private final ConnectionSide client;
  private final ConnectionSide backend;
  private List<PooledEndpoint> tried = List.of();
  private List<RelayedChoice.Attempt> attempts = List.of();
  private @Nullable PooledEndpoint target;
  private int attempt;
  private long deadline;
  private boolean connecting;
  private boolean closed;
  private boolean waiting; // in the queue of the loop
  private long bytes;

  RelayedConnection(RelayEventLoop loop, Portal portal, NativeSocketAddress from) {
    this.loop = loop;
    this.portal = portal;
    this.ipv4 = from.isIpv4();
    this.high = from.high();
    this.low = from.low();
    this.clientPort = from.port();
    this.client = new ConnectionSide(loop, this);
    this.backend = new ConnectionSide(loop, this);
  }

  /// Takes the client's socket and begins to look for an endpoint.
  void begin(int socket) {
    loop.opened();
    portal.opened();
    // Clients mostly speak first, and have by now. Then one packet can accept and carry that.
    boolean there = backend.takeEarly(socket);
    if (!client.attach(socket, false) || !there) {
      finish("gone");
      return;
    }
    tryNext();
  }

  boolean isConnecting(int asAttempt) {
    return connecting && attempt == asAttempt;
  }

  long deadline() {
    return deadline;
  }

  private void tryNext() {
    while (attempt < ATTEMPTS) {
      PooledEndpoint chosen = portal.pool().choose(ipv4, high, low, tried);
      if (chosen == null) {
        finish("no endpoint");
        return;
      }
      target = chosen;
      chosen.begin();
      int socket = open(chosen);
      if (socket == -NonBlockingSockets.EMFILE || socket == -NonBlockingSockets.ENFILE) {
        finish("too many open files");
        return;
      }
      if (socket >= 0 && backend.attach(socket, true)) {
        if (backend.hasEarly() && backend.writeEarly()) {
          accepted(chosen);
          return;
        }
        deadline = loop.now() + (FIRST_LIMIT << attempt);
        connecting = true;
        loop.connecting(this, attempt);
        return;
      }
      failed(chosen, RelayedChoice.Outcome.REFUSED);
    }
    finish("no endpoint accepted");
  }

  private int open(PooledEndpoint to) {
    NonBlockingSockets calls = loop.calls();
    IpAddress address = to.address();
    int socket =
        calls.open(
            address.isIpv4() ? NonBlockingSockets.AF_INET : NonBlockingSockets.AF_INET6,
            NonBlockingSockets.SOCK_STREAM);
    if (socket < 0) {
      return socket;
    }
    int _ = calls.set(socket, NonBlockingSockets.IPPROTO_TCP, NonBlockingSockets.TCP_NODELAY, 1);
    int _ = calls.set(socket, NonBlockingSockets.SOL_SOCKET, NonBlockingSockets.SO_KEEPALIVE, 1);
    int _ =
        calls.set(
            socket,
            NonBlockingSockets.IPPROTO_TCP,
            NonBlockingSockets.TCP_KEEPIDLE,
            KEEP_ALIVE_SECONDS);
    if (backend.hasEarly()) {
      // The packet that confirms the connection waits a moment, for bytes to take along.
      int _ = calls.set(socket, NonBlockingSockets.IPPROTO_TCP, NonBlockingSockets.TCP_QUICKACK, 0);
    }
    int result =
        calls.connect(
            socket, loop.address().set(address.isIpv4(), address.high(), address.low(), to.port()));
    if (result < 0 && result != -NonBlockingSockets.EINPROGRESS) {
      int _ = calls.close(socket);
      return result;
    }
    return socket;
  }

  private void accepted(PooledEndpoint which) {
    which.accepted();
    note(which, RelayedChoice.Outcome.ACCEPTED);
    loop.choices().add(choice());
  }

  private void note(PooledEndpoint which, RelayedChoice.Outcome outcome) {
    RelayedChoice.Attempt attempted =
        new RelayedChoice.Attempt(which.address(), which.port(), outcome);
    if (attempts.isEmpty()) {
      // Most connections try one.
      attempts = List.of(attempted);
    } else {
      attempts = new ArrayList<>(attempts);
      attempts.add(attempted);
    }
  }

  private RelayedChoice choice() {
    return new RelayedChoice(clientAddress(), clientPort, attempts);
  }

  private void failed(PooledEndpoint which, RelayedChoice.Outcome outcome) {
    note(which, outcome);
    connecting = false;
    backend.disconnect();
    which.failed(loop.now());
    which.end();
    target = null;
    if (tried.isEmpty()) {
      tried = new ArrayList<>(ATTEMPTS);
    }
    tried.add(which);
    attempt++;
  }

  /// The endpoint neither accepted nor refused in time.
  void tookTooLong() {
    PooledEndpoint slow = target;
    if (connecting && slow != null) {
      failed(slow, RelayedChoice.Outcome.TOO_SLOW);
      tryNext();
    }
  }

  /// One of the ends has news.
  void ready(ConnectionSide which, int events) {
    if (!connecting) {
      carry();
      if ((events & Epoll.ERROR) != 0) {
        abort();
      }
    } else if (which == backend) {
      connected(events);
    } else if ((events & (Epoll.ERROR | Epoll.HANG_UP)) != 0) {
      abort();
    }
  }

  private void connected(int events) {
    PooledEndpoint reached = target;
    if (reached == null) {
      return;
    }
    if ((events & (Epoll.ERROR | Epoll.HANG_UP)) != 0) {
      if (loop.calls().error(backend.socket()) == -NonBlockingSockets.ECONNRESET) {
        // It did accept, and broke off at once: that is its answer.
        connecting = false;
        abort();
      } else {
        failed(reached, RelayedChoice.Outcome.REFUSED);
        tryNext();
      }
    } else if ((events & Epoll.OUT) != 0) {
      connecting = false;
      accepted(reached);
      carry();
    }
  }

  /// Goes on after others have had their turn.
  void resume() {
    waiting = false;
    carry();
  }

  /// Carries what there is, both ways.
  private void carry() {
    if (closed || connecting || target == null) {
      return;
    }
    ConnectionSide.TransferResult there = client.carryTo(backend, READS_IN_A_ROW);
    ConnectionSide.TransferResult back =
        there == ConnectionSide.TransferResult.BROKEN
            ? there
            : backend.carryTo(client, READS_IN_A_ROW);
    if (back == ConnectionSide.TransferResult.BROKEN) {
      abort();
    } else if (there == ConnectionSide.TransferResult.DONE
        && back == ConnectionSide.TransferResult.DONE) {
      finish("ended");
    } else if ((there == ConnectionSide.TransferResult.MORE
            || back == ConnectionSide.TransferResult.MORE)
        && !waiting) {
      waiting = true;
      loop.again(this);
    }
  }

  void carried(long count) {
    bytes += count;
    portal.carried(count);
  }

  /// Ends both sides the hard way.
  void abort() {
    if (closed) {
      return;
    }
    client.abort();
    backend.abort();
    finish("reset");
  }

  private void finish(String how) {
    if (closed) {
      return;
    }
    closed = true;
    connecting = false;
    client.detach();
    backend.detach();
    PooledEndpoint had = target;
    if (had != null) {
      had.end();
    } else if (!attempts.isEmpty()) {
      loop.choices().add(choice());
    }
    loop.closed();
    portal.closed();
    if (log.isDebugEnabled()) {
      log.atDebug()
          .addKeyValue("service", portal.pool().name())
          .addKeyValue("client", clientText())
          .addKeyValue("endpoint", had == null ? "" : had.text())
          .addKeyValue("attempts", attempt + 1)
          .addKeyValue("bytes", bytes)
          .log(how);
    }
  }

  private IpAddress clientAddress() {
    return ipv4 ? IpAddress.ipv4(low) : IpAddress.ipv6(high, low);
  }

  private String clientText() {
    IpAddress address = clientAddress();
    return ipv4 ? address + ":" + clientPort : "[" + address + "]:" + clientPort;
  }
}
