package io.fairlead.bench.userspace;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A client, a node and a pod with three addresses, as network namespaces. The pod repeats bytes on
/// one port and swallows them on another, one connection at a time.
final class UserspaceTestbed implements AutoCloseable {
  static final String NODE = "192.0.2.10";
  static final List<String> PODS = List.of("10.64.1.11", "10.64.1.12", "10.64.1.13");
  static final int ECHO = 8080;
  static final int SINK = 8081;

  private static final int BUFFER = 256 * 1024;

  private final NetworkNamespace client;
  private final NetworkNamespace node;
  private final NetworkNamespace pod;
  private final List<ServerSocket> servers;
  private final Map<InetAddress, Integer> served = new ConcurrentHashMap<>();

  UserspaceTestbed(String prefix) {
    client = NetworkNamespace.create(prefix + "c");
    node = NetworkNamespace.create(prefix + "n");
    pod = NetworkNamespace.create(prefix + "p");
    String script =
        """
        set -e
        for each in %1$s %2$s %3$s; do
          ip -n $each link set lo up
          ip netns exec $each sysctl -q -w net.ipv4.tcp_tw_reuse=1 \
            net.ipv4.ip_local_port_range='12000 65000'
        done
        ip netns exec %2$s sysctl -q -w net.ipv4.ip_forward=1
        ip link add cli netns %2$s type veth peer name eth0 netns %1$s
        ip link add pod netns %2$s type veth peer name eth0 netns %3$s
        ip -n %2$s addr add 192.0.2.10/24 dev cli
        ip -n %2$s addr add 10.64.1.1/24 dev pod
        ip -n %1$s addr add 192.0.2.1/24 dev eth0
        for last in 11 12 13; do ip -n %3$s addr add 10.64.1.$last/24 dev eth0; done
        ip -n %2$s link set cli up
        ip -n %2$s link set pod up
        ip -n %1$s link set eth0 up
        ip -n %3$s link set eth0 up
        ip -n %1$s route add default via 192.0.2.10
        ip -n %3$s route add default via 10.64.1.1
        """
            .formatted(client.name(), node.name(), pod.name());
    CommandRunner.Result result =
        CommandRunner.here(Duration.ofMinutes(1)).run(script, List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException("cannot build the namespaces: " + result.error());
    }
    servers = List.of(listen(ECHO), listen(SINK));
    serve(servers.getFirst(), true);
    serve(servers.getLast(), false);
  }

  private ServerSocket listen(int port) {
    return pod.call(() -> new ServerSocket(port, 4096));
  }

  NetworkNamespace client() {
    return client;
  }

  NetworkNamespace node() {
    return node;
  }

  /// Connections each address of the pod has had on the echo port since this was asked last.
  Map<InetAddress, Integer> takeServed() {
    Map<InetAddress, Integer> counts = Map.copyOf(served);
    served.clear();
    return counts;
  }

  private void serve(ServerSocket server, boolean echo) {
    Tasks.startPlatform(
        "pod-" + server.getLocalPort(),
        () -> {
          byte[] buffer = new byte[BUFFER];
          while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
              socket.setTcpNoDelay(true);
              if (echo) {
                served.merge(socket.getLocalAddress(), 1, Integer::sum);
              }
              carry(socket, buffer, echo);
            } catch (IOException _) {
              // The client gave up, or the bench is over.
              continue;
            }
          }
        });
  }

  private static void carry(Socket socket, byte[] buffer, boolean echo) throws IOException {
    InputStream in = socket.getInputStream();
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      if (echo) {
        socket.getOutputStream().write(buffer, 0, count);
      }
    }
    if (!echo) {
      // Says that everything has come.
      socket.getOutputStream().write(1);
    }
  }

  @Override
  public void close() {
    for (ServerSocket server : servers) {
      try {
        server.close();
      } catch (IOException e) {
        System.err.println("closing: " + e.getMessage());
      }
    }
    client.delete();
    node.delete();
    pod.delete();
  }
}
