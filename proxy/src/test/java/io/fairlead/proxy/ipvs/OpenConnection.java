package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A connection that stays open: its server says its name, then sends back what it gets.
record OpenConnection(Socket socket, String server) implements AutoCloseable {
  static final int PORT = 7070;

  /// A server in a pod.
  static AutoCloseable serve(NetworkNamespace where, String name) {
    ServerSocket server = where.call(() -> new ServerSocket(PORT, 512));
    Thread.ofPlatform()
        .daemon()
        .name("kept-" + name)
        .start(
            () -> {
              while (!server.isClosed()) {
                try {
                  Socket client = server.accept();
                  Thread.ofVirtual().start(() -> echo(client, name));
                } catch (IOException _) {
                  continue;
                }
              }
            });
    return server;
  }

  private static void echo(Socket client, String name) {
    try (client) {
      client.getOutputStream().write((name + "\n").getBytes(StandardCharsets.UTF_8));
      for (int next = client.getInputStream().read();
          next >= 0;
          next = client.getInputStream().read()) {
        client.getOutputStream().write(next);
      }
    } catch (IOException _) {
      // The client went away.
      return;
    }
  }

  static OpenConnection open(
      NetworkNamespace from, @Nullable InetSocketAddress own, String to, int port)
      throws IOException {
    Socket socket =
        from.call(
            () -> {
              Socket fresh = new Socket();
              fresh.bind(own);
              return fresh;
            });
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress(InetAddress.getByName(to), port), 20_000);
    StringBuilder name = new StringBuilder();
    for (int next = socket.getInputStream().read();
        next >= 0 && next != '\n';
        next = socket.getInputStream().read()) {
      name.append((char) next);
    }
    return new OpenConnection(socket, name.toString());
  }

  /// Whether a byte still goes there and back.
  boolean works() throws IOException {
    socket.getOutputStream().write('x');
    return socket.getInputStream().read() == 'x';
  }

  /// Ends it with a reset, which the kernel forgets soonest.
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
