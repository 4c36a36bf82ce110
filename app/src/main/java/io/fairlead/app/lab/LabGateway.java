package io.fairlead.app.lab;

import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// A port of this machine's loopback whose connections go on in a lab, through its [LabProxy].
final class LabGateway implements AutoCloseable {
  private final ServerSocketChannel listener;
  private final Path socket;
  private final InetSocketAddress address;

  private LabGateway(ServerSocketChannel listener, Path socket, InetSocketAddress address) {
    this.listener = listener;
    this.socket = socket;
    this.address = address;
  }

  /// @param socket of the lab's proxy
  static LabGateway open(Path socket) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return new LabGateway(listener, socket, (InetSocketAddress) listener.getLocalAddress());
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  InetSocketAddress address() {
    return address;
  }

  /// Lets connections in.
  ///
  /// @param opening what tells the lab's proxy where they go
  void serve(byte[] opening) {
    Tasks.start("lab gateway", () -> accept(opening));
  }

  private void accept(byte[] opening) throws IOException {
    try {
      while (true) {
        SocketChannel connection = listener.accept();
        Tasks.start("into the lab", () -> carry(connection, opening));
      }
    } catch (ClosedChannelException _) {
      // That is how it ends.
    }
  }

  private void carry(SocketChannel connection, byte[] opening)
      throws IOException, InterruptedException {
    try (connection;
        SocketChannel inside = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      Relay.write(inside, ByteBuffer.wrap(opening));
      Relay.between(connection, inside);
    } catch (IOException _) {
      // The caller sees its connection end.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
