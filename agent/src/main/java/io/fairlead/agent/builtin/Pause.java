package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerConfig;

/// Does nothing until it is asked to end.
final class Pause implements Workload {
  @Override
  public Running start(Context context, ContainerConfig config, LogFile log) {
    return new InProcessWorkload(() -> {});
  }
}
