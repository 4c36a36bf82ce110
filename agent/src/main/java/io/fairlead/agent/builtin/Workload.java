package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.ContainerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/// Something of the catalogue that can run in a pod.
interface Workload {
  /// Where it runs.
  interface Context {
    /// Runs something in the pod's network, on a thread of its own, and waits for it.
    <T> T call(Callable<T> work);

    /// How a program gets into the pod's network: the first words of its command line.
    List<String> prefix();

    /// What the pod is called.
    String hostname();

    Path resolvConf();

    /// A directory for it alone.
    Path scratch();
  }

  /// One that runs.
  interface Running {
    /// How it ended.
    CompletableFuture<Integer> end();

    /// Asks it to end.
    void ask();

    /// Ends it.
    void force();

    /// The streams of its program; none when there is nothing to talk to.
    ///
    /// @param input whether anybody will type
    default Optional<AttachedProcess> attach(boolean input) {
      return Optional.empty();
    }

    /// The process inside which others can run; none for a workload inside this program.
    default Optional<Long> process() {
      return Optional.empty();
    }
  }

  /// Starts it and returns when it listens.
  ///
  /// @throws io.fairlead.agent.runtime.RuntimeFailure when it cannot start
  Running start(Context context, ContainerConfig config, LogFile log);
}
