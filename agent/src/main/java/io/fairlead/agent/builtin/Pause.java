package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerConfig;

/// Does nothing until it is asked to end.
final class Pause implements Workload {
  @Override
  public Running start(Place place, ContainerConfig config, LogFile log) {
    return new InProgram(() -> {});
  }
}
