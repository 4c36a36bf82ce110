package io.fairlead.agent.builtin;

import io.fairlead.agent.network.LoopbackDialer;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/// A sandbox as its workloads see it.
record SandboxContext(PodNetwork network, SandboxConfig config, SandboxInfo info, Path directory)
    implements Workload.Context {
  @Override
  public <T> T call(Callable<T> work) {
    return info.hostNetwork()
        ? network.host().call(work)
        : PodNetwork.namespace(info.id()).call(work);
  }

  /// Where its network namespace is mounted; empty for that of this process.
  Optional<Path> networkNamespace() {
    return namespace().map(NetworkNamespace::path);
  }

  private Optional<NetworkNamespace> namespace() {
    return info.hostNetwork()
        ? network.host().inside()
        : Optional.of(PodNetwork.namespace(info.id()));
  }

  @Override
  public List<String> prefix() {
    return namespace()
        .map(inside -> List.of("nsenter", "--net=" + inside.path(), "--"))
        .orElse(List.of());
  }

  /// Connects to a port as a program in the pod would.
  Socket dial(int port) throws IOException {
    return LoopbackDialer.dial(this::call, port);
  }

  @Override
  public String hostname() {
    return config.hostname();
  }

  @Override
  public Path resolvConf() {
    return ContainerExec.file(directory, info.id(), "resolv.conf");
  }

  @Override
  public Path scratch() {
    return BuiltinRuntime.made(ContainerExec.file(directory, info.id(), "root"));
  }
}
