package io.fairlead.agent.builtin;

import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.kernel.namespace.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A sandbox as its workloads see it.
record PodPlace(PodNetwork network, SandboxConfig config, SandboxInfo info, Path directory)
    implements Workload.Place {
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "::1");
  private static final int CONNECT_MILLIS = 30_000;

  @Override
  public <T> T call(Callable<T> work) {
    return info.hostNetwork()
        ? network.host().call(work)
        : PodNetwork.namespace(info.id()).call(work);
  }

  @Override
  public List<String> prefix() {
    Optional<NetworkNamespace> namespace =
        info.hostNetwork() ? network.host().inside() : Optional.of(PodNetwork.namespace(info.id()));
    return namespace
        .map(inside -> List.of("nsenter", "--net=" + inside.path(), "--"))
        .orElse(List.of());
  }

  /// Connects to a port by the pod's loopback address, of the one family or the other.
  Socket dial(int port) throws IOException {
    IOException refused = new IOException("no loopback address");
    for (String loopback : LOOPBACK) {
      Dialled dialled = call(() -> dial(InetAddress.ofLiteral(loopback), port));
      if (dialled.socket() != null) {
        return dialled.socket();
      }
      if (dialled.failure() != null) {
        refused = dialled.failure();
      }
    }
    throw refused;
  }

  private record Dialled(@Nullable Socket socket, @Nullable IOException failure) {}

  private static Dialled dial(InetAddress address, int port) {
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

  @Override
  public String hostname() {
    return config.hostname();
  }

  @Override
  public Path resolvConf() {
    return Exec.file(directory, info.id(), "resolv.conf");
  }

  @Override
  public Path scratch() {
    return BuiltinRuntime.made(Exec.file(directory, info.id(), "root"));
  }
}
