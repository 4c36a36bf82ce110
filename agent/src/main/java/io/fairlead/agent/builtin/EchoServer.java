package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Tasks;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Sends back what it gets, over TCP and UDP. On port 8080, or where `PORT` says.
final class EchoServer implements Workload {
  static final String TCP_LOOP = "echo-tcp";
  static final String UDP_LOOP = "echo-udp";
  private static final int PORT = 8080;

  private record Sockets(ServerSocket stream, DatagramChannel datagrams) {}

  @Override
  public Running start(Context context, ContainerConfig config, LogFile log) {
    int port = InProcessWorkload.port(config, PORT);
    Sockets sockets =
        context.call(
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
    SupervisedLoop streams =
        SupervisedLoop.of(TCP_LOOP)
            .stopBy(() -> close(sockets.stream()))
            .start(() -> accept(sockets.stream(), open));
    ByteBuffer buffer = ByteBuffer.allocate(65_536);
    SupervisedLoop datagrams =
        SupervisedLoop.of(UDP_LOOP)
            .stopBy(() -> close(sockets.datagrams()))
            .start(() -> answer(sockets.datagrams(), buffer));
    log.line("echoing on port " + port + ", TCP and UDP");
    return new InProcessWorkload(
        () -> {
          streams.close();
          datagrams.close();
          for (Socket socket : open) {
            socket.close();
          }
        });
  }

  private static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void accept(ServerSocket server, Set<Socket> open) throws IOException {
    Socket socket = server.accept();
    open.add(socket);
    Tasks.start("echo connection", () -> echo(socket, open));
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

  private static void answer(DatagramChannel channel, ByteBuffer buffer) throws IOException {
    buffer.clear();
    SocketAddress from = channel.receive(buffer);
    buffer.flip();
    try {
      channel.send(buffer, from);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException _) {
      // A caller that cannot be answered.
    }
  }
}
