package io.fairlead.kernel.syscall;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// A terminal without a screen: one side is a device that programs open, the other reads what they
/// print and types for them.
///
/// One thread may read, another write, any resize and close. Reading and writing wait inside native
/// calls: use platform threads. Closing ends both; a descriptor is given back only when no thread
/// uses it, since its number may soon be another file's.
public final class PseudoTerminal implements AutoCloseable {
  private final NativeFileDescriptor master;
  private final NativeFileDescriptor wake = FileCalls.event("end of a terminal");
  private final Path device;
  // Read while the descriptors are used, written to give them back.
  private final ReadWriteLock use = new ReentrantReadWriteLock();
  private volatile boolean draining;
  private final AtomicBoolean closed = new AtomicBoolean();

  private PseudoTerminal(NativeFileDescriptor master) {
    this.master = master;
    this.device = Path.of("/dev/pts", Integer.toString(TerminalCalls.number(master)));
  }

  /// @throws io.fairlead.kernel.syscall.SystemCallException when the system has no more
  public static PseudoTerminal open() {
    return new PseudoTerminal(TerminalCalls.open());
  }

  /// One whose device is in the `/dev/pts` that another process sees.
  ///
  /// @throws io.fairlead.kernel.syscall.SystemCallException when there is no such process, or it
  ///   sees no terminals
  public static PseudoTerminal open(long process) {
    return new PseudoTerminal(TerminalCalls.open(process));
  }

  /// The programs' side. The first that a session's leader opens becomes its own terminal.
  public Path device() {
    return device;
  }

  /// Sets how large the screen is; the programs get SIGWINCH.
  public void resize(int columns, int rows) {
    use.readLock().lock();
    try {
      if (!closed.get()) {
        TerminalCalls.resize(master, columns, rows);
      }
    } finally {
      use.readLock().unlock();
    }
  }

  /// Waits for what programs print.
  ///
  /// @return how many bytes were read, -1 at the end: no program has the terminal any more, it was
  ///   closed, or it is drained and nothing is left
  public int read(byte[] into) {
    use.readLock().lock();
    try {
      while (!closed.get()) {
        int count = TerminalCalls.read(master, into);
        if (count != 0) {
          return count;
        }
        if (draining) {
          return -1;
        }
        FileCalls.await(master, FileCalls.READABLE, wake, -1);
      }
      return -1;
    } finally {
      use.readLock().unlock();
    }
  }

  /// Types, and waits while programs do not read.
  ///
  /// @throws IOException when no program can read it any more
  public void write(byte[] from, int offset, int length) throws IOException {
    use.readLock().lock();
    try {
      int done = 0;
      while (done < length) {
        if (closed.get() || draining) {
          throw new IOException("the terminal is closed");
        }
        int count = TerminalCalls.write(master, from, offset + done, length - done);
        if (count < 0) {
          throw new IOException("no program has the terminal any more");
        }
        done += count;
        if (count == 0) {
          FileCalls.await(master, FileCalls.WRITABLE, wake, -1);
        }
      }
    } finally {
      use.readLock().unlock();
    }
  }

  /// From now on reading ends when nothing is left to read, though programs may still have the
  /// terminal.
  public void drain() {
    use.readLock().lock();
    try {
      draining = true;
      if (!closed.get()) {
        FileCalls.signal(wake);
      }
    } finally {
      use.readLock().unlock();
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    FileCalls.signal(wake);
    use.writeLock().lock();
    try {
      master.close();
      wake.close();
    } finally {
      use.writeLock().unlock();
    }
  }
}
