package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.kernel.syscall.NamespaceProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Starts programs beside the first one of a container, with the same view and the same rights.
///
/// @param process the first process
/// @param terminal whether they have a terminal
record RunningContainer(
    Workload.Context context, ContainerConfig config, long process, boolean terminal)
    implements ProgramStarter {
  private static final List<String> IN_DIRECTORY =
      List.of("/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh");

  @Override
  public Process start(List<String> command, boolean input, boolean merged) throws IOException {
    List<String> line = new ArrayList<>(IN_DIRECTORY);
    line.add(ContainerSetup.workingDirectory(config));
    line.addAll(command);
    return NamespaceProcess.start(
        process,
        new NamespaceProcess.Program(
            line,
            ContainerSetup.variables(config, context.hostname(), terminal),
            ContainerCapabilities.bits(ContainerCapabilities.of(config.security())),
            input,
            merged));
  }
}
