package io.fairlead.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Connections through a Service that are held while things happen: one of a pod and one from
/// outside, which is masqueraded. Beside them new connections are made all the time, when asked
/// for, and counted.
public final class LongLivedConnections implements AutoCloseable {
  /// The Service's address, with port 80.
  public static final IpAddress SERVICE = IpAddress.parse("10.112.0.77");

  /// The port of endpoint L1.
  public static final int TARGET_PORT = 7007;

  private static final int LIMIT_MILLIS = 60_000;
  private static final Duration PAUSE = Duration.ofMillis(2);

  private final Lab lab;
  private final ServerSocket server;
  private final List<Socket> kept = new ArrayList<>();
  private final AtomicLong made = new AtomicLong();
  private final Queue<String> failed = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;
  private @Nullable Thread making;

  /// Starts the server; connections are opened by [#open], when the Service works.
  public LongLivedConnections(Lab lab) {
    this.lab = lab;
    NetworkNamespace pod = lab.namespace(Origin.L1);
    server = pod.call(() -> new ServerSocket(TARGET_PORT, 1024));
    Thread.ofPlatform().daemon().name("kept-server").start(this::accept);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().name("kept-echo").start(() -> echo(client));
      } catch (IOException _) {
        // Closed.
        return;
      }
    }
  }

  private static void echo(Socket client) {
    try (client) {
      client.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException _) {
      // The other side is gone.
      return;
    }
  }

  /// Opens the connections that are kept.
  public void open() {
    kept.add(connect(Origin.POD));
    kept.add(connect(Origin.EXTERNAL));
    check();
  }

  /// Both still carry bytes to the server and back.
  public void check() {
    assertThat(kept).isNotEmpty().allSatisfy(socket -> assertThat(echoes(socket)).isTrue());
  }

  /// Begins to make new connections, one after the other.
  public void beginMaking() {
    beginMaking(PAUSE);
  }

  /// Begins to make new connections, one after the other.
  ///
  /// @param pause between two of them; a guest has one processor for everything
  public void beginMaking(Duration pause) {
    making = lab.namespace(Origin.POD).start("new-connections", () -> make(pause));
  }

  private void make(Duration pause) {
    while (!closed) {
      try (Socket socket = new Socket()) {
        socket.connect(target(), LIMIT_MILLIS);
        socket.setSoTimeout(LIMIT_MILLIS);
        // Without a time of waiting afterwards, for which there would not be ports enough.
        socket.setSoLinger(true, 0);
        if (!echoes(socket)) {
          failed.add("another byte came back");
        }
        made.incrementAndGet();
      } catch (IOException | UncheckedIOException e) {
        failed.add(String.valueOf(e.getMessage()));
      }
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  /// How many new connections were made; none may have failed.
  public long made() {
    assertThat(failed).isEmpty();
    return made.get();
  }

  private static InetSocketAddress target() throws IOException {
    return new InetSocketAddress(InetAddress.getByAddress(SERVICE.toBytes()), 80);
  }

  private Socket connect(Origin from) {
    return lab.namespace(from)
        .call(
            () -> {
              Socket socket = new Socket();
              socket.connect(target(), LIMIT_MILLIS);
              socket.setSoTimeout(LIMIT_MILLIS);
              socket.setTcpNoDelay(true);
              return socket;
            });
  }

  private static boolean echoes(Socket socket) {
    try {
      socket.getOutputStream().write('!');
      return socket.getInputStream().read() == '!';
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    if (making != null) {
      try {
        making.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    for (Socket socket : kept) {
      socket.close();
    }
    server.close();
  }
}
