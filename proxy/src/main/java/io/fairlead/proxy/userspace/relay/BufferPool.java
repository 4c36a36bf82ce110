package io.fairlead.proxy.userspace.relay;

import io.fairlead.kernel.syscall.NativeMemory;

/// The memory of one loop: equal pieces outside the heap, made when first needed, never more than
/// agreed, used again and again. Owned by the loop's thread.
///
/// How it works: a loop reads into one piece, the *scratch*, and writes it out at once. Only when
/// the other side does not take everything is the piece left with it and another becomes the
/// scratch. So connections that flow, or rest, hold no memory.
final class BufferPool implements AutoCloseable {
  private static final long ALIGNMENT = 4096;

  private final NativeMemory memory = new NativeMemory();
  private final int size;
  private final long[] free;
  private int freeCount;
  private int unmade;
  private long scratch;

  BufferPool(int size, int most) {
    this.size = size;
    this.free = new long[most + 1];
    this.unmade = most;
    this.scratch = make();
  }

  private long make() {
    return memory.allocate(size, ALIGNMENT);
  }

  int size() {
    return size;
  }

  /// Where to read to.
  long scratch() {
    return scratch;
  }

  /// Whether the scratch can be left with a connection. Asked before reading, since what has been
  /// read must have a place.
  boolean hasRoom() {
    return freeCount > 0 || unmade > 0;
  }

  /// Hands the scratch over to a connection, which gives it back later.
  long takeScratch() {
    long taken = scratch;
    if (freeCount > 0) {
      scratch = free[--freeCount];
    } else {
      unmade--;
      scratch = make();
    }
    return taken;
  }

  void give(long buffer) {
    free[freeCount++] = buffer;
  }

  @Override
  public void close() {
    memory.close();
  }
}
