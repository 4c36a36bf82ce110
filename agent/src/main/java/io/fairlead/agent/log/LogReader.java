package io.fairlead.agent.log;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads a file that grows, and notices when another takes its name. Used by one thread.
final class LogReader implements AutoCloseable {
  private static final int BUFFER = 32 * 1024;

  /// Takes what was read: the buffer and how much of it counts.
  interface Taker {
    void take(byte[] bytes, int length) throws IOException;
  }

  private final Path path;
  private final byte[] buffer = new byte[BUFFER];
  private RandomAccessFile in;
  private Object identity;
  private boolean seen;

  LogReader(Path path) throws IOException {
    this.path = path;
    this.identity = identity(path);
    this.in = new RandomAccessFile(path.toFile(), "r");
    agree();
  }

  /// The file may have been replaced between looking at it and opening it.
  private void agree() throws IOException {
    for (Object now = identity(path); !now.equals(identity); now = identity(path)) {
      in.close();
      identity = now;
      in = new RandomAccessFile(path.toFile(), "r");
    }
  }

  /// The same for two names of one file, and for no other.
  private static Object identity(Path path) throws IOException {
    return Objects.requireNonNull(
        Files.readAttributes(path, BasicFileAttributes.class).fileKey(), "files have no identity");
  }

  private static @Nullable Object identityOrNull(Path path) throws IOException {
    try {
      return identity(path);
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  /// Reads what has come since the last time.
  void readAll(Taker taker) throws IOException {
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      taker.take(buffer, read);
    }
  }

  /// Goes on with another file once that has taken the name: at its second sight, since the writer
  /// may still have something for the old one at the first.
  ///
  /// @param last the container has ended, so one reading is enough
  /// @return whether there is another file to read now
  boolean replaced(boolean last) throws IOException {
    Object now = identityOrNull(path);
    if (now == null || now.equals(identity)) {
      return false;
    }
    if (!seen && !last) {
      seen = true;
      return false;
    }
    seen = false;
    in.close();
    identity = now;
    in = new RandomAccessFile(path.toFile(), "r");
    agree();
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
