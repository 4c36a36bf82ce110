package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.Attached;
import java.io.InputStream;
import java.io.OutputStream;

/// A program with three pipes.
record PipedProgram(Process process) implements Attached {
  @Override
  public OutputStream input() {
    return process.getOutputStream();
  }

  @Override
  public InputStream output() {
    return process.getInputStream();
  }

  @Override
  public InputStream error() {
    return process.getErrorStream();
  }

  @Override
  public void resize(int columns, int rows) {}

  @Override
  public int await() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    Exec.end(process);
  }
}
