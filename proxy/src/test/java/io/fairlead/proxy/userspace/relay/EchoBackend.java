package io.fairlead.proxy.userspace.relay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// An endpoint on loopback that says its name and then repeats what it hears.
final class EchoBackend implements AutoCloseable {
  private final ServerSocket server;
  private final String name;

  EchoBackend(String name) throws IOException {
    this.name = name;
    this.server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException _) {
        // Closed.
        continue;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.getOutputStream().write((name + "\n").getBytes(StandardCharsets.UTF_8));
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException _) {
      // The other side went away.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
