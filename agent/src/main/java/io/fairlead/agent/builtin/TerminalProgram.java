package io.fairlead.agent.builtin;

import io.fairlead.agent.pipe.BoundedPipe;
import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.kernel.syscall.PseudoTerminal;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A program with a terminal.
///
/// How it works: the program becomes the leader of a new session and opens the terminal's device,
/// which so becomes its own. The JVM never opens that device: it could become the JVM's terminal.
/// That happens inside the container: the leader there must not be of the session, since Ctrl-C is
/// for the program alone. The program takes signals as usual, though this process may ignore some
/// (one that a script put into the background ignores Ctrl-C). Two platform threads move bytes,
/// since a terminal is read and written by native calls.
final class TerminalProgram implements AttachedProcess {
  /// What a terminal takes for the end of input.
  private static final byte[] END_OF_INPUT = {4};

  private static final String IN_TERMINAL = "exec \"$@\" <\"$0\" >\"$0\" 2>&1";

  private static final List<String> LEADER =
      List.of("env", "--default-signal", "setsid", "--wait", "sh", "-c", IN_TERMINAL);

  /// The container's terminals are there only when the container is, so this one waits until the
  /// name of its terminal is typed. Without `--wait` it becomes the program instead of staying
  /// beside it.
  private static final List<String> FIRST =
      List.of(
          "sh",
          "-c",
          "read -r device; exec env --default-signal setsid sh -c \"$0\" \"$device\" \"$@\"",
          IN_TERMINAL);

  private final PseudoTerminal terminal;
  private final Process process;
  private final BoundedPipe printed = new BoundedPipe();
  private final BoundedPipe typed = new BoundedPipe();

  private TerminalProgram(PseudoTerminal terminal, Process process) {
    this.terminal = terminal;
    this.process = process;
    Tasks.startPlatform("terminal output", this::read);
    Tasks.startPlatform("terminal input", this::write);
    process.onExit().thenRun(terminal::drain);
  }

  /// A program beside the first one of a container.
  static TerminalProgram start(List<String> command, RunningContainer container)
      throws IOException {
    PseudoTerminal terminal = PseudoTerminal.open(container.process());
    try {
      List<String> line = new ArrayList<>(LEADER);
      line.add(terminal.device().toString());
      line.addAll(command);
      return new TerminalProgram(terminal, withoutPipes(container.start(line, false, true)));
    } catch (IOException | RuntimeException e) {
      terminal.close();
      throw e;
    }
  }

  /// The first program of a container: it must stay the first process, and leads no session of
  /// others.
  static TerminalProgram startFirst(List<String> command, ContainerSetup container)
      throws IOException {
    List<String> line = new ArrayList<>(FIRST);
    line.addAll(command);
    Process process = container.start(line, true, true);
    try {
      PseudoTerminal terminal = PseudoTerminal.open(ContainerSetup.first(process).pid());
      process.getOutputStream().write((terminal.device() + "\n").getBytes(StandardCharsets.UTF_8));
      return new TerminalProgram(terminal, withoutPipes(process));
    } catch (IOException | RuntimeException e) {
      ContainerExec.end(process);
      throw e;
    }
  }

  /// All it says goes to its terminal.
  private static Process withoutPipes(Process process) throws IOException {
    process.getOutputStream().close();
    process.getInputStream().close();
    return process;
  }

  Process process() {
    return process;
  }

  private void read() {
    byte[] buffer = new byte[16 << 10];
    try {
      for (int count = terminal.read(buffer); count >= 0; count = terminal.read(buffer)) {
        printed.write(buffer, 0, count);
      }
    } catch (IOException _) {
      // The reader has left.
    } finally {
      printed.finish();
      typed.fail(new IOException("the program has ended"));
      terminal.close();
    }
  }

  private void write() {
    byte[] buffer = new byte[4 << 10];
    try (InputStream in = typed.input()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        terminal.write(buffer, 0, count);
      }
      terminal.write(END_OF_INPUT, 0, 1);
    } catch (IOException _) {
      // The program has ended.
    }
  }

  @Override
  public OutputStream input() {
    return typed.output();
  }

  @Override
  public InputStream output() {
    return printed.input();
  }

  @Override
  public InputStream error() {
    return InputStream.nullInputStream();
  }

  @Override
  public void resize(int columns, int rows) {
    terminal.resize(columns, rows);
  }

  @Override
  public int await() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    ContainerExec.end(process);
    try {
      printed.input().close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
