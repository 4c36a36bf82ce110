package io.fairlead.bench.faults;

import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/// A port on loopback that leads elsewhere, and that can be cut: every connection through it ends.
final class TcpRelay implements AutoCloseable {
  private final ServerSocket listener;
  private final Callable<Socket> dial;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean refusing;

  /// @param dial makes the connection to where it leads
  TcpRelay(Callable<Socket> dial) throws IOException {
    this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    this.dial = dial;
    Tasks.start("bench-relay", this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /// Ends every connection; new ones are made as before.
  void cut() {
    open.forEach(TcpRelay::closeQuietly);
  }

  /// Ends every connection and every new one, until it is mended.
  void refuse(boolean refuse) {
    refusing = refuse;
    if (refuse) {
      cut();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          closeQuietly(client);
        } else {
          Tasks.start("bench-relay", () -> join(client));
        }
      } catch (IOException _) {
        // Closed, or the client went away before it was accepted.
        continue;
      }
    }
  }

  private void join(Socket client) {
    try {
      Socket server = dial.call();
      open.add(client);
      open.add(server);
      Tasks.start("bench-relay", () -> copy(client, server));
      copy(server, client);
    } catch (Exception _) {
      closeQuietly(client);
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[16 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } catch (IOException _) {
      // Cut: both ends are closed.
      return;
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is gone either way.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
