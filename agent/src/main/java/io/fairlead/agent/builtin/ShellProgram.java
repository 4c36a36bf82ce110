package io.fairlead.agent.builtin;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Runs a program of the node in a container: with the pod's network, host name, `/etc/hosts` and
/// `resolv.conf`, as process 1 of its own process tree, on a file system in memory that shows the
/// node's programs and is gone when it ends. Without a command it sleeps.
final class ShellProgram implements Workload {
  private static final long SILENCE_MILLIS = 1000;

  @Override
  public Running start(Context context, ContainerConfig config, LogFile log) {
    ContainerSetup container = new ContainerSetup(context, config, config.terminal().screen());
    try {
      return config.terminal().screen()
          ? withTerminal(container, config, log)
          : withPipes(container, config, log);
    } catch (IOException | SystemCallException e) {
      throw new RuntimeFailure("RunContainerError", String.valueOf(e.getMessage()));
    }
  }

  private static Running withPipes(ContainerSetup container, ContainerConfig config, LogFile log)
      throws IOException {
    Process process = container.start(program(config), config.terminal().input(), false);
    OutputFanout output = new OutputFanout(config.terminal().once());
    OutputFanout error = new OutputFanout(config.terminal().once());
    return InProcess.of(
        process,
        CompletableFuture.allOf(
            copy(output.through(process.getInputStream()), "stdout", log),
            copy(error.through(process.getErrorStream()), "stderr", log)),
        new AttachedShell.Streams(
            output, error, process.getOutputStream(), config.terminal().once(), (_, _) -> {}));
  }

  private static Running withTerminal(ContainerSetup container, ContainerConfig config, LogFile log)
      throws IOException {
    TerminalProgram program = TerminalProgram.startFirst(program(config), container);
    OutputFanout output = new OutputFanout(config.terminal().once());
    return InProcess.of(
        program.process(),
        copy(output.through(program.output()), "stdout", log),
        new AttachedShell.Streams(
            output,
            OutputFanout.SILENT,
            program.input(),
            config.terminal().once(),
            program::resize));
  }

  private static CompletableFuture<Void> copy(InputStream from, String stream, LogFile log) {
    CompletableFuture<Void> copied = new CompletableFuture<>();
    Tasks.start(
        "log " + stream,
        () -> {
          try {
            log.copy(from, stream);
          } finally {
            copied.complete(null);
          }
        });
    return copied;
  }

  private static List<String> program(ContainerConfig config) {
    List<String> program = new ArrayList<>(config.command());
    program.addAll(config.arguments());
    return program.isEmpty() ? List.of("sleep", "infinity") : program;
  }

  /// A process tree whose first process is the child of the one that was started.
  private record InProcess(
      Process outer, CompletableFuture<Integer> end, AttachedShell.Streams streams)
      implements Running {
    /// It has ended when its last words are in the log, unless a process it left behind could still
    /// say something.
    static InProcess of(
        Process outer, CompletableFuture<Void> logged, AttachedShell.Streams streams) {
      CompletableFuture<Integer> end =
          outer
              .onExit()
              .thenCompose(
                  process ->
                      logged
                          .copy()
                          .completeOnTimeout(null, SILENCE_MILLIS, MILLISECONDS)
                          .thenApply(_ -> process.exitValue()));
      return new InProcess(outer, end, streams);
    }

    @Override
    public Optional<AttachedProcess> attach(boolean input) {
      return Optional.of(new AttachedShell(streams, input, end));
    }

    @Override
    public void ask() {
      first().ifPresent(ProcessHandle::destroy);
    }

    @Override
    public void force() {
      // The outer first: it answers a killed child with an exit code of its own.
      Optional<ProcessHandle> inner = first();
      outer.destroyForcibly();
      inner.ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public Optional<Long> process() {
      return first().map(ProcessHandle::pid);
    }

    private Optional<ProcessHandle> first() {
      return outer.children().findFirst();
    }
  }
}
