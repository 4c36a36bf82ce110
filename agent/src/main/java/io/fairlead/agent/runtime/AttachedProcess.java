package io.fairlead.agent.runtime;

import java.io.InputStream;
import java.io.OutputStream;

/// A program in a container with its streams. The streams may be used by virtual threads.
public interface AttachedProcess extends AutoCloseable {
  /// What the program reads; closing is the end of its input.
  OutputStream input();

  /// What the program prints; with a terminal, everything.
  InputStream output();

  /// What the program complains of; empty with a terminal.
  InputStream error();

  /// Sets the size of the program's terminal; does nothing without one.
  void resize(int columns, int rows);

  /// Waits for the end.
  ///
  /// @return how it ended, as a shell reports it
  int await() throws InterruptedException;

  /// Ends it, with all it started. Again is fine, and so is one that has ended.
  @Override
  void close();
}
