package io.fairlead.agent.builtin;

import io.fairlead.agent.pipe.BoundedPipe;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// One stream that a program prints to, for its log and for everybody who listens. A listener that
/// does not read makes the program wait, as a terminal would. Of a program that has one visitor
/// only, what it said before that one came is kept for them: a short program would else have ended
/// by then. Safe for many threads.
final class OutputFanout {
  /// Of a program with a terminal, which says everything on the other stream.
  static final OutputFanout SILENT = new OutputFanout();

  static {
    SILENT.end();
  }

  /// No more than a pipe takes that no listener reads yet.
  private static final int KEPT = 32 << 10;

  private final Set<BoundedPipe> listeners = ConcurrentHashMap.newKeySet();
  // Guarded by this; null once there was a listener, or when nothing is kept.
  private @Nullable ByteArrayOutputStream early;
  private volatile boolean over;

  /// Listeners hear what is said from then on.
  OutputFanout() {
    this(false);
  }

  /// @param forOne whether the first listener hears what was said before
  OutputFanout(boolean forOne) {
    this.early = forOne ? new ByteArrayOutputStream() : null;
  }

  /// The same stream; what is read from it is heard by all listeners.
  InputStream through(InputStream source) {
    return new FilterInputStream(source) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        if (count > 0) {
          deliver(bytes, offset, count);
        }
        return count;
      }

      @Override
      public void close() throws IOException {
        end();
        super.close();
      }
    };
  }

  private void deliver(byte[] bytes, int offset, int length) {
    if (keep(bytes, offset, length)) {
      return;
    }
    for (BoundedPipe listener : listeners) {
      try {
        listener.write(bytes, offset, length);
      } catch (IOException _) {
        // Has left.
        listeners.remove(listener);
      }
    }
  }

  private void end() {
    over = true;
    listeners.forEach(BoundedPipe::finish);
  }

  /// Listens from now on.
  BoundedPipe join() {
    BoundedPipe pipe = new BoundedPipe();
    begin(pipe);
    if (over) {
      pipe.finish();
    }
    return pipe;
  }

  /// Keeps it for the first listener. False when there was one, or is to be none.
  private synchronized boolean keep(byte[] bytes, int offset, int length) {
    if (early == null) {
      return false;
    }
    early.write(bytes, offset, Math.min(length, KEPT - early.size()));
    return true;
  }

  private synchronized void begin(BoundedPipe pipe) {
    if (early != null) {
      write(pipe, early.toByteArray());
      early = null;
    }
    listeners.add(pipe);
  }

  private static void write(BoundedPipe pipe, byte[] bytes) {
    try {
      pipe.write(bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void leave(BoundedPipe pipe) {
    listeners.remove(pipe);
    pipe.finish();
  }
}
