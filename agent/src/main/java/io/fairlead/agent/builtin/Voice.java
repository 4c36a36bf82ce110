package io.fairlead.agent.builtin;

import io.fairlead.agent.pipe.Pipe;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// One stream that a program prints to, for its log and for everybody who listens. A listener that
/// does not read makes the program wait, as a terminal would. Safe for many threads.
final class Voice {
  /// Of a program with a terminal, which says everything on the other stream.
  static final Voice SILENT = new Voice();

  static {
    SILENT.end();
  }

  private final Set<Pipe> listeners = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

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
          tell(bytes, offset, count);
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

  private void tell(byte[] bytes, int offset, int length) {
    for (Pipe listener : listeners) {
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
    listeners.forEach(Pipe::finish);
  }

  /// Listens from now on.
  Pipe join() {
    Pipe pipe = new Pipe();
    listeners.add(pipe);
    if (over) {
      pipe.finish();
    }
    return pipe;
  }

  void leave(Pipe pipe) {
    listeners.remove(pipe);
    pipe.finish();
  }
}
