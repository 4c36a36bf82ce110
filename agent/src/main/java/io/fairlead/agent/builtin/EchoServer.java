package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Sends back what it gets, over TCP and UDP. On port 8080, or where `PORT` says.
final class EchoServer implements Workload {
  private static final int PORT = 8080;

  private record Sockets(ServerSocket stream, DatagramChannel datagrams) {}

  @Override
  public Running start(Place place, ContainerConfig config, LogFile log) {
    int port = InProgram.port(config, PORT);
    Sockets sockets =
        place.call(
            () -> {
              try {
                ServerSocket stream = new ServerSocket();
                stream.setReuseAddress(true);
                stream.bind(new InetSocketAddress(port));
                DatagramChannel datagrams =
                    DatagramChannel.open().bind(new InetSocketAddress(port));
                return new Sockets(stream, datagrams);
              } catch (IOException e) {
                throw new RuntimeFailure(
                    "RunContainerError", "cannot listen on port " + port + ": " + e.getMessage());
              }
            });
    Set<Socket> open = ConcurrentHashMap.newKeySet();
    Thread.ofVirtual().name("echo tcp").start(() -> accept(sockets.stream(), open));
    Thread.ofVirtual().name("echo udp").start(() -> datagrams(sockets.datagrams()));
    log.line("echoing on port " + port + ", TCP and UDP");
    return new InProgram(
        () -> {
          sockets.stream().close();
          sockets.datagrams().close();
          for (Socket socket : open) {
            socket.close();
          }
        });
  }

  private static void accept(ServerSocket server, Set<Socket> open) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        Thread.ofVirtual().name("echo connection").start(() -> echo(socket, open));
      } catch (IOException _) {
        // Closed, or a caller that left at once; the loop's condition tells.
      }
    }
  }

  private static void echo(Socket socket, Set<Socket> open) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException _) {
      // The caller left.
    } finally {
      open.remove(socket);
    }
  }

  private static void datagrams(DatagramChannel channel) {
    ByteBuffer buffer = ByteBuffer.allocate(65_536);
    while (channel.isOpen()) {
      try {
        buffer.clear();
        SocketAddress from = channel.receive(buffer);
        buffer.flip();
        channel.send(buffer, from);
      } catch (IOException _) {
        // Closed, or a caller that cannot be answered.
      }
    }
  }
}
