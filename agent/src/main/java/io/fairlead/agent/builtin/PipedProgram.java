package io.fairlead.agent.builtin;

import io.fairlead.agent.pipe.BoundedPipe;
import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// A program with three pipes. Platform threads move the bytes: reading and writing a pipe of the
/// kernel holds the thread, and a few virtual threads that wait there would stop all others.
final class PipedProgram implements AttachedProcess {
  private static final int BLOCK = 16 << 10;

  private final Process process;
  private final BoundedPipe printed = new BoundedPipe();
  private final BoundedPipe complained = new BoundedPipe();
  private final BoundedPipe typed = new BoundedPipe();

  /// @param input whether anything is typed
  PipedProgram(Process process, boolean input) {
    this.process = process;
    Tasks.startPlatform("program output", () -> read(process.getInputStream(), printed));
    Tasks.startPlatform("program errors", () -> read(process.getErrorStream(), complained));
    if (input) {
      Tasks.startPlatform("program input", this::write);
      process.onExit().thenRun(() -> typed.fail(new IOException("the program has ended")));
    }
  }

  private static void read(InputStream from, BoundedPipe to) {
    byte[] buffer = new byte[BLOCK];
    try (from) {
      for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
        to.write(buffer, 0, count);
      }
    } catch (IOException _) {
      // The program was ended by force.
    } finally {
      to.finish();
    }
  }

  private void write() {
    byte[] buffer = new byte[BLOCK];
    try (InputStream from = typed.input();
        OutputStream to = process.getOutputStream()) {
      for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
        to.write(buffer, 0, count);
        to.flush();
      }
    } catch (IOException _) {
      // The program reads no more.
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
    return complained.input();
  }

  @Override
  public void resize(int columns, int rows) {}

  @Override
  public int await() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    ContainerExec.end(process);
    try {
      printed.input().close();
      complained.input().close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
