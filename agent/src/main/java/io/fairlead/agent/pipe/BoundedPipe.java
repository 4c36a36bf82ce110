package io.fairlead.agent.pipe;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A bounded pipe between two threads: who writes waits while it is full, who reads while it is
/// empty. What is written after the reader has closed its end is thrown away, so that a writer that
/// serves others too never hangs on one who has left.
public final class BoundedPipe {
  private static final int SIZE = 64 << 10;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by lock.
  private final byte[] ring = new byte[SIZE];
  private int start;
  private int filled;
  private boolean finished;
  private boolean abandoned;
  private @Nullable IOException failure;
  private final InputStream input = new Input();
  private final OutputStream output = new Output();

  /// The reader's end.
  public InputStream input() {
    return input;
  }

  /// The writer's end; closing it finishes the pipe.
  public OutputStream output() {
    return output;
  }

  /// Waits for space and puts the bytes in.
  ///
  /// @throws IOException when the pipe was finished or has failed
  public void write(byte[] bytes, int offset, int length) throws IOException {
    lock.lock();
    try {
      int done = 0;
      while (done < length && !abandoned) {
        if (finished) {
          throw failure == null ? new IOException("the pipe is finished") : failure;
        }
        if (filled == SIZE) {
          changed.await();
        } else {
          done += put(bytes, offset + done, length - done);
          changed.signalAll();
        }
      }
    } catch (InterruptedException _) {
      throw interrupted();
    } finally {
      lock.unlock();
    }
  }

  private int put(byte[] bytes, int offset, int length) {
    int end = (start + filled) % SIZE;
    int size = Math.min(length, Math.min(SIZE - filled, SIZE - end));
    System.arraycopy(bytes, offset, ring, end, size);
    filled += size;
    return size;
  }

  /// Nothing more comes: the reader gets what is there, then the end. Again is fine.
  public void finish() {
    end(null);
  }

  /// The source broke: the reader gets what is there, then the failure.
  public void fail(IOException why) {
    end(why);
  }

  private void end(@Nullable IOException why) {
    lock.lock();
    try {
      if (!finished) {
        finished = true;
        failure = why;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted at a pipe");
  }

  private int take(byte[] bytes, int offset, int length) throws IOException {
    lock.lock();
    try {
      while (filled == 0 && !finished && !abandoned) {
        changed.await();
      }
      if (abandoned) {
        throw new IOException("the pipe's reader has closed it");
      }
      if (filled == 0) {
        if (failure != null) {
          throw failure;
        }
        return -1;
      }
      int size = Math.min(length, Math.min(filled, SIZE - start));
      System.arraycopy(ring, start, bytes, offset, size);
      start = (start + size) % SIZE;
      filled -= size;
      changed.signalAll();
      return size;
    } catch (InterruptedException _) {
      throw interrupted();
    } finally {
      lock.unlock();
    }
  }

  private final class Output extends BlockOutput {
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      BoundedPipe.this.write(bytes, offset, length);
    }

    @Override
    public void close() {
      finish();
    }
  }

  private final class Input extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return length == 0 ? 0 : take(bytes, offset, length);
    }

    @Override
    public int available() {
      lock.lock();
      try {
        return filled;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        abandoned = true;
        filled = 0;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
