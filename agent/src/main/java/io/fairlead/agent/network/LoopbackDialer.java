package io.fairlead.agent.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Connects to programs inside a network as their neighbours do: by the loopback address, of the
/// one family or the other.
public final class LoopbackDialer {
  private static final List<String> ADDRESSES = List.of("127.0.0.1", "::1");
  private static final int CONNECT_MILLIS = 30_000;

  /// How a connection came out.
  public record Dialled(@Nullable Socket socket, @Nullable IOException failure) {}

  /// Runs work inside the network.
  public interface Inside {
    Dialled call(Callable<Dialled> work);
  }

  private LoopbackDialer() {}

  /// @throws IOException when no program listens there
  public static Socket dial(Inside inside, int port) throws IOException {
    IOException refused = null;
    for (String address : ADDRESSES) {
      Dialled dialled = inside.call(() -> connect(InetAddress.ofLiteral(address), port));
      if (dialled.socket() != null) {
        return dialled.socket();
      }
      // That of the first family is the one people expect.
      refused = refused == null ? dialled.failure() : refused;
    }
    throw refused == null ? new IOException("no loopback address") : refused;
  }

  private static Dialled connect(InetAddress address, int port) {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      return new Dialled(socket, null);
    } catch (IOException e) {
      try {
        socket.close();
      } catch (IOException further) {
        e.addSuppressed(further);
      }
      return new Dialled(null, e);
    }
  }
}
