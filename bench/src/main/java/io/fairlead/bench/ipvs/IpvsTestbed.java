package io.fairlead.bench.ipvs;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/// A client, a node and a pod, as network namespaces joined by veth pairs, for one contestant. The
/// pod sends back every byte it gets.
final class IpvsTestbed implements AutoCloseable {
  static final String POD = "10.210.0.2";
  static final int POD_PORT = 8080;
  private static final Duration TOOL_LIMIT = Duration.ofMinutes(10);
  private static final int CONNECT_LIMIT = 20_000;

  private final NetworkNamespace client;
  private final NetworkNamespace node;
  private final NetworkNamespace pod;
  private final ServerSocket server;

  IpvsTestbed(String name) {
    client = NetworkNamespace.create(name + "c");
    node = NetworkNamespace.create(name + "n");
    pod = NetworkNamespace.create(name + "p");
    run(
        """
        set -e
        for name in %1$s %2$s %3$s; do ip -n $name link set lo up; done
        ip netns exec %2$s sysctl -q -w net.ipv4.ip_forward=1
        ip link add c netns %2$s type veth peer name eth0 netns %1$s
        ip link add p netns %2$s type veth peer name eth0 netns %3$s
        ip -n %2$s addr add 192.0.2.10/24 dev c
        ip -n %1$s addr add 192.0.2.1/24 dev eth0
        ip -n %2$s addr add 10.210.0.1/24 dev p
        ip -n %3$s addr add 10.210.0.2/24 dev eth0
        for link in c p; do ip -n %2$s link set $link up; done
        ip -n %1$s link set eth0 up
        ip -n %3$s link set eth0 up
        ip -n %1$s route add default via 192.0.2.10
        ip -n %3$s route add default via 10.210.0.1
        ip -n %2$s route add default via 192.0.2.1
        """
            .formatted(client.name(), node.name(), pod.name()));
    server = pod.call(() -> new ServerSocket(POD_PORT, 512));
    Tasks.startPlatform("pod-" + name, this::serve);
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.setTcpNoDelay(true);
        for (int next = socket.getInputStream().read();
            next >= 0;
            next = socket.getInputStream().read()) {
          socket.getOutputStream().write(next);
        }
      } catch (IOException _) {
        // The client went away, or the server was closed.
        continue;
      }
    }
  }

  NetworkNamespace node() {
    return node;
  }

  CommandRunner tool() {
    return CommandRunner.inside(node, TOOL_LIMIT);
  }

  /// Runs lines of a shell; one that fails is an error.
  static void run(String script) {
    CommandRunner.Result result = CommandRunner.here(TOOL_LIMIT).run(script, List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException(result.error());
    }
  }

  /// Connects, sends a byte and waits for it, many times; microseconds each.
  double[] exchanges(String address, int port, int count) {
    double[] times = new double[count];
    for (int i = 0; i < count; i++) {
      try (Socket socket = socket()) {
        long start = System.nanoTime();
        exchange(socket, address, port);
        times[i] = (System.nanoTime() - start) / 1e3;
      } catch (IOException e) {
        throw new UncheckedIOException("calling " + address, e);
      }
    }
    return times;
  }

  /// Whether one try reaches the pod.
  boolean reaches(String address, int port) {
    try (Socket socket = socket()) {
      exchange(socket, address, port);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private Socket socket() {
    return client.call(
        () -> {
          Socket socket = new Socket();
          socket.bind(null);
          socket.setTcpNoDelay(true);
          socket.setSoTimeout(CONNECT_LIMIT);
          return socket;
        });
  }

  private static void exchange(Socket socket, String address, int port) throws IOException {
    socket.connect(new InetSocketAddress(InetAddress.getByName(address), port), CONNECT_LIMIT);
    socket.getOutputStream().write(7);
    if (socket.getInputStream().read() != 7) {
      throw new IOException("the byte did not come back");
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    client.delete();
    node.delete();
    pod.delete();
  }
}
