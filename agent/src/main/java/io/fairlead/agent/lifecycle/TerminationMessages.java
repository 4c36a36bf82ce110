package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerInfo;
import java.util.HashMap;
import java.util.Map;

/// What containers of one pod said about their end. Asked for once per run: the file may go with
/// the next one. Owned by the pod's worker.
final class TerminationMessages {
  private final PodFiles files;
  private final Map<String, String> known = new HashMap<>();

  TerminationMessages(PodFiles files) {
    this.files = files;
  }

  /// The run with what it said, behind what the runtime says.
  ContainerInfo of(Pod pod, Container container, ContainerInfo run) {
    if (!run.exited()) {
      return run;
    }
    String said = known.computeIfAbsent(run.id(), _ -> files.endMessage(pod, container, run));
    if (said.isEmpty()) {
      return run;
    }
    return run.saying(run.message().isEmpty() ? said : run.message() + ": " + said);
  }

  /// A run is no longer there.
  void forget(String id) {
    known.remove(id);
  }
}
