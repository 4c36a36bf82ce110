package io.fairlead.agent.builtin;

import io.fairlead.agent.pipe.Pipe;
import io.fairlead.agent.runtime.Attached;
import io.fairlead.kernel.terminal.PseudoTerminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// A program with a terminal.
///
/// How it works: the program becomes the leader of a new session and opens the terminal's device,
/// which so becomes its own. The JVM never opens that device: it could become the JVM's terminal.
/// That happens inside the container: whoever leads there must not be of the session, since Ctrl-C
/// is for the program alone. The program takes signals as usual, though this process may ignore
/// some (one that a script put into the background ignores Ctrl-C). Two platform threads move
/// bytes, since a terminal is read and written by native calls.
final class TerminalProgram implements Attached {
  /// What a terminal takes for the end of input.
  private static final byte[] END_OF_INPUT = {4};

  private static final String IN_TERMINAL = "exec \"$@\" <\"$0\" >\"$0\" 2>&1";

  private static final List<String> LEADER = List.of("env", "--default-signal", "setsid", "--wait");

  /// Without `--wait` it becomes the program instead of staying beside it.
  private static final List<String> FIRST = List.of("env", "--default-signal", "setsid");

  private final PseudoTerminal terminal;
  private final Process process;
  private final Pipe printed = new Pipe();
  private final Pipe typed = new Pipe();

  private TerminalProgram(PseudoTerminal terminal, Process process) {
    this.terminal = terminal;
    this.process = process;
    Thread.ofPlatform().daemon(true).name("terminal output").start(this::read);
    Thread.ofPlatform().daemon(true).name("terminal input").start(this::write);
    process.onExit().thenRun(terminal::drain);
  }

  /// @param inside makes a process inside the container of a command line
  static TerminalProgram start(List<String> command, Function<List<String>, ProcessBuilder> inside)
      throws IOException {
    return start(LEADER, command, inside);
  }

  /// The first program of a container: it must stay the first process, and leads nobody else.
  static TerminalProgram startFirst(
      List<String> command, Function<List<String>, ProcessBuilder> inside) throws IOException {
    return start(FIRST, command, inside);
  }

  private static TerminalProgram start(
      List<String> session, List<String> command, Function<List<String>, ProcessBuilder> inside)
      throws IOException {
    PseudoTerminal terminal = PseudoTerminal.open();
    try {
      List<String> line = new ArrayList<>(session);
      line.addAll(List.of("sh", "-c", IN_TERMINAL));
      line.add(terminal.device().toString());
      line.addAll(command);
      ProcessBuilder builder =
          inside
              .apply(line)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      builder.environment().putIfAbsent("TERM", "xterm");
      return new TerminalProgram(terminal, builder.start());
    } catch (IOException | RuntimeException e) {
      terminal.close();
      throw e;
    }
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
      // Nobody is interested any more.
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
    Exec.end(process);
    try {
      printed.input().close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
