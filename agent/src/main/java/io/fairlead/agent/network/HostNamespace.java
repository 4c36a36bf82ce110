package io.fairlead.agent.network;

import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Tasks;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// The network namespace that is "the node" to its pods. On a machine of its own that is where this
/// process runs; several nodes on one machine have one each.
///
/// @param inside empty for the namespace of this process
public record HostNamespace(Optional<NetworkNamespace> inside) {
  public static final HostNamespace OWN = new HostNamespace(Optional.empty());

  public static HostNamespace of(NetworkNamespace namespace) {
    return new HostNamespace(Optional.of(namespace));
  }

  /// Runs something there, on a platform thread of its own, and waits for it. Sockets opened by it
  /// stay there.
  public <T> T call(Callable<T> work) {
    if (inside.isPresent()) {
      return inside.get().call(work);
    }
    FutureTask<T> task = new FutureTask<>(work);
    Tasks.startPlatform("node network", task::run);
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in network work", e);
    }
  }

  public void run(Runnable work) {
    call(
        () -> {
          work.run();
          return true;
        });
  }
}
