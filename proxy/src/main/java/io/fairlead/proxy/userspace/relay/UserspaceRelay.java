package io.fairlead.proxy.userspace.relay;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.NonBlockingSockets;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.userspace.balance.EndpointPool;
import io.fairlead.work.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Listens for clients and carries their bytes to endpoints and back. Its sockets are in the
/// network namespace of the thread that starts it. May be used from any thread.
public final class UserspaceRelay implements AutoCloseable {
  private static final int BACKLOG = 4096;
  private static final int KEEP_ALIVE_SECONDS = 60;

  private final List<RelayEventLoop> loops = new ArrayList<>();
  private final AtomicInteger nextLoop = new AtomicInteger();
  private final RelayedChoices choices = new RelayedChoices();
  private final Set<Integer> listening = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  private UserspaceRelay() {}

  /// @param name the threads' names begin with it
  public static UserspaceRelay start(String name, RelaySettings settings, Ticker ticker) {
    UserspaceRelay relay = new UserspaceRelay();
    for (int i = 0; i < settings.threads(); i++) {
      relay.loops.add(new RelayEventLoop(name + "-" + i, settings, ticker, relay.choices));
    }
    return relay;
  }

  /// Begins to listen.
  ///
  /// @param port 0 for one that is free
  /// @throws SystemCallException when that address and port cannot be had
  public Portal open(Protocol protocol, IpAddress address, int port, EndpointPool pool) {
    if (closed.get()) {
      throw new IllegalStateException("the relay is closed");
    }
    return switch (protocol) {
      case TCP -> tcp(address, port, pool);
      case UDP -> udp(address, port, pool);
      case SCTP -> throw new IllegalArgumentException("SCTP cannot be relayed");
    };
  }

  private Portal tcp(IpAddress address, int port, EndpointPool pool) {
    return on(
        loops.getFirst(),
        loop -> {
          int socket = bound(loop, NonBlockingSockets.SOCK_STREAM, address, port);
          NonBlockingSockets calls = loop.calls();
          // Connections that are accepted inherit these.
          int _ =
              calls.set(socket, NonBlockingSockets.IPPROTO_TCP, NonBlockingSockets.TCP_NODELAY, 1);
          int _ =
              calls.set(socket, NonBlockingSockets.SOL_SOCKET, NonBlockingSockets.SO_KEEPALIVE, 1);
          int _ =
              calls.set(
                  socket,
                  NonBlockingSockets.IPPROTO_TCP,
                  NonBlockingSockets.TCP_KEEPIDLE,
                  KEEP_ALIVE_SECONDS);
          checked(loop, socket, "listen", calls.listen(socket, BACKLOG), address, port);
          listening.add(socket);
          List<Acceptor> acceptors = new ArrayList<>();
          Portal portal =
              new Portal(
                  Protocol.TCP,
                  address,
                  calls.port(socket),
                  pool,
                  () -> letGo(List.copyOf(acceptors), socket));
          for (RelayEventLoop each : loops) {
            Acceptor acceptor = new Acceptor(each, portal, socket);
            acceptors.add(acceptor);
            each.post(acceptor::begin);
          }
          return portal;
        });
  }

  /// The number of a closed socket is soon another's: it is closed only when no loop can use it any
  /// more.
  private void letGo(List<Acceptor> acceptors, int socket) {
    AtomicInteger left = new AtomicInteger(loops.size());
    for (int i = 0; i < loops.size(); i++) {
      RelayEventLoop loop = loops.get(i);
      Acceptor acceptor = acceptors.get(i);
      loop.post(
          () -> {
            acceptor.end();
            if (left.decrementAndGet() == 0) {
              listening.remove(socket);
              int _ = loop.calls().close(socket);
            }
          });
    }
  }

  private Portal udp(IpAddress address, int port, EndpointPool pool) {
    RelayEventLoop chosen = loops.get(Math.floorMod(nextLoop.getAndIncrement(), loops.size()));
    return on(
        chosen,
        loop -> {
          int socket = bound(loop, NonBlockingSockets.SOCK_DGRAM, address, port);
          List<UdpPortalListener> own = new ArrayList<>(1);
          Portal portal =
              new Portal(
                  Protocol.UDP,
                  address,
                  loop.calls().port(socket),
                  pool,
                  () -> loop.post(() -> own.forEach(UdpPortalListener::end)));
          UdpPortalListener datagrams = new UdpPortalListener(loop, portal, socket);
          own.add(datagrams);
          datagrams.begin();
          return portal;
        });
  }

  private static int bound(RelayEventLoop loop, int type, IpAddress address, int port) {
    NonBlockingSockets calls = loop.calls();
    int socket =
        calls.open(
            address.isIpv4() ? NonBlockingSockets.AF_INET : NonBlockingSockets.AF_INET6, type);
    if (socket < 0) {
      throw new SystemCallException(text(address, port), "socket", new Errno(-socket));
    }
    if (type == NonBlockingSockets.SOCK_STREAM) {
      int _ = calls.set(socket, NonBlockingSockets.SOL_SOCKET, NonBlockingSockets.SO_REUSEADDR, 1);
    }
    if (address.isIpv6()) {
      int _ = calls.set(socket, NonBlockingSockets.IPPROTO_IPV6, NonBlockingSockets.IPV6_V6ONLY, 1);
    }
    int result =
        calls.bind(
            socket, loop.address().set(address.isIpv4(), address.high(), address.low(), port));
    checked(loop, socket, "bind", result, address, port);
    return socket;
  }

  private static void checked(
      RelayEventLoop loop, int socket, String call, int result, IpAddress address, int port) {
    if (result < 0) {
      int _ = loop.calls().close(socket);
      throw new SystemCallException(text(address, port), call, new Errno(-result));
    }
  }

  private static String text(IpAddress address, int port) {
    return address.isIpv4() ? address + ":" + port : "[" + address + "]:" + port;
  }

  private interface Work {
    Portal on(RelayEventLoop loop);
  }

  /// Sockets are made by the loop's thread, whose network namespace they shall be in.
  private static Portal on(RelayEventLoop loop, Work work) {
    CompletableFuture<Portal> done = new CompletableFuture<>();
    loop.post(
        () -> {
          try {
            done.complete(work.on(loop));
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    try {
      return done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof SystemCallException refused) {
        throw refused;
      }
      throw e;
    }
  }

  /// What it did lately for a client's TCP connection; the 1,024 newest are known.
  public Optional<RelayedChoice> choice(IpAddress client, int clientPort) {
    return choices.find(client, clientPort);
  }

  /// How many TCP connections it carries now.
  public int connections() {
    return loops.stream().mapToInt(RelayEventLoop::connections).sum();
  }

  /// Whether it still carries something.
  public boolean isAlive() {
    return loops.stream().anyMatch(RelayEventLoop::isAlive);
  }

  /// Opens no more portals and ends with the last connection; portals are closed by their owner.
  /// Does not wait.
  public void drain() {
    if (closed.compareAndSet(false, true)) {
      loops.forEach(RelayEventLoop::drain);
    }
  }

  /// Ends everything now, connections too, and waits.
  @Override
  public void close() {
    closed.set(true);
    loops.forEach(RelayEventLoop::stop);
    try {
      for (RelayEventLoop loop : loops) {
        loop.join();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    try (NonBlockingSockets calls = new NonBlockingSockets()) {
      for (int socket : listening) {
        if (listening.remove(socket)) {
          int _ = calls.close(socket);
        }
      }
    }
  }
}
