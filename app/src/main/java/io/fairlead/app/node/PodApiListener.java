package io.fairlead.app.node;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.SourceFilter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;

/// Where pods of this machine reach an API server that listens on loopback only: at the address of
/// the node in their eyes. Without it the Service `kubernetes` would lead nowhere.
///
/// How it works: the address lies on the loopback interface, so that it is there before the first
/// pod. Linux would answer for it on every network card; a filter on the socket keeps all but this
/// machine and its pods away. Who comes in still has to say who they are.
public final class PodApiListener implements AutoCloseable {
  private final LoopbackAddress address;

  private PodApiListener(LoopbackAddress address) {
    this.address = address;
  }

  /// Where it listens.
  ///
  /// @param address of the node in its pods' eyes
  /// @param pods the ranges of those who may come
  public record ListenAddress(IpAddress address, List<Cidr> pods) {
    public ListenAddress {
      pods = List.copyOf(pods);
    }
  }

  /// What serves there; the socket is its own from then on.
  public interface SocketHandler {
    void listen(ServerSocketChannel socket) throws IOException;
  }

  /// Opens it. When anything fails, nothing of it stays.
  ///
  /// @param directory keeps the record of the address
  public static PodApiListener open(
      Path directory, ListenAddress place, int port, SocketHandler host) throws IOException {
    LoopbackAddress address = new LoopbackAddress(directory);
    address.add(place.address());
    try {
      // Closed by the host, or here when it did not come to that.
      ServerSocketChannel socket =
          ServerSocketChannel.open(
              place.address().isIpv4()
                  ? StandardProtocolFamily.INET
                  : StandardProtocolFamily.INET6);
      try {
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(place.address().toString()), port));
        SourceFilter.attach(
            socket, place.pods().stream().map(Cidr::toString).map(IpPrefix::parse).toList());
        host.listen(socket);
      } catch (IOException | RuntimeException e) {
        socket.close();
        throw e;
      }
      return new PodApiListener(address);
    } catch (IOException | RuntimeException e) {
      address.remove();
      throw e;
    }
  }

  /// Takes the address away. The socket goes with who serves there, before or after.
  @Override
  public void close() {
    address.remove();
  }
}
