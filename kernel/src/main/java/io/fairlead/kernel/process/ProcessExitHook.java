package io.fairlead.kernel.process;

import java.io.IOException;
import java.util.List;

/// Runs a shell command when this process ends, also when it is killed and can do nothing any more.
///
/// How it works: a shell waits to read from a pipe of which this process alone holds the other end.
/// The kernel closes that with the process, whatever ends it. The shell passes over the signals
/// that a terminal or a supervisor sends to the whole group; a supervisor that kills every process
/// of a control group kills it too, and the command does not run.
///
/// The shell is in the network namespace of the thread that starts it.
public final class ProcessExitHook implements AutoCloseable {
  private static final String WAIT = "trap '' HUP INT TERM; read -r _ || eval \"$0\"";

  private final Process shell;

  private ProcessExitHook(Process shell) {
    this.shell = shell;
  }

  /// @param command for `sh`
  /// @throws IOException when no shell can be started
  public static ProcessExitHook of(String command) throws IOException {
    return new ProcessExitHook(
        new ProcessBuilder(List.of("sh", "-c", WAIT, command))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /// The command does not run any more.
  @Override
  public void close() {
    shell.destroyForcibly();
  }
}
