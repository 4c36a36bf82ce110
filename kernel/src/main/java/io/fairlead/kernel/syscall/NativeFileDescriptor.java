package io.fairlead.kernel.syscall;

import java.util.concurrent.atomic.AtomicBoolean;

/// An open file descriptor and the name under which errors speak of it. Closing twice is fine; the
/// owner makes sure no thread uses it afterwards.
public final class NativeFileDescriptor implements AutoCloseable {
  private final int number;
  private final String name;
  private final AtomicBoolean closed = new AtomicBoolean();

  NativeFileDescriptor(int number, String name) {
    this.number = number;
    this.name = name;
  }

  /// The number the kernel knows it by.
  public int number() {
    return number;
  }

  /// What errors call it.
  public String name() {
    return name;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      FileCalls.close(this);
    }
  }

  @Override
  public String toString() {
    return name + " (descriptor " + number + ")";
  }
}
