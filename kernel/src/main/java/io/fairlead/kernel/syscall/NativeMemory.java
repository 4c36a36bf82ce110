package io.fairlead.kernel.syscall;

import java.lang.foreign.Arena;

/// Memory outside the heap that system calls read from and write to, known by its address. Used and
/// closed by the thread that made it.
public final class NativeMemory implements AutoCloseable {
  private final Arena arena = Arena.ofConfined();

  /// The address of a fresh, zeroed piece.
  public long allocate(long size, long alignment) {
    return arena.allocate(size, alignment).address();
  }

  /// Gives all pieces back.
  @Override
  public void close() {
    arena.close();
  }
}
