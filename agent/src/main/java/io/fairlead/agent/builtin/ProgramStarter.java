package io.fairlead.agent.builtin;

import java.io.IOException;
import java.util.List;

/// Starts programs in a container.
sealed interface ProgramStarter permits ContainerSetup, RunningContainer {
  /// Returns when the program runs, or is about to.
  ///
  /// @param input whether it can be typed to
  /// @param merged errors go where the output goes
  /// @throws io.fairlead.agent.runtime.RuntimeFailure when there is no container for it
  Process start(List<String> command, boolean input, boolean merged) throws IOException;
}
