package io.fairlead.agent.builtin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// A container's log as all container engines write it: moment, stream, `F` for a full line or `P`
/// for a part of one, text. Guarded by its own lock.
final class LogFile implements AutoCloseable {
  private static final int LONGEST = 16 * 1024;
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX").withZone(ZoneOffset.UTC);

  private final Path file;
  private final InstantSource clock;
  // Guarded by this.
  private OutputStream out;
  private boolean closed;

  LogFile(Path file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      this.out = open(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OutputStream open(Path file) throws IOException {
    return Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /// Goes on in a new file of the same name: the old one was put aside. Nothing when it is closed.
  synchronized void reopen() {
    if (closed) {
      return;
    }
    try {
      OutputStream next = open(file);
      out.close();
      out = next;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Writes one line that a workload in this program says.
  void line(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    write("stdout", true, bytes, 0, bytes.length);
  }

  /// Copies everything a program writes to a stream, line by line, until it ends.
  void copy(InputStream from, String stream) {
    byte[] buffer = new byte[LONGEST];
    int filled = 0;
    try (from) {
      while (true) {
        int read = from.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
          break;
        }
        filled += read;
        filled = drain(buffer, filled, stream);
      }
      if (filled > 0) {
        write(stream, true, buffer, 0, filled);
      }
    } catch (IOException _) {
      // The program is gone; what it said so far is written.
    }
  }

  private int drain(byte[] buffer, int filled, String stream) {
    int start = 0;
    for (int i = 0; i < filled; i++) {
      if (buffer[i] == '\n') {
        write(stream, true, buffer, start, i - start);
        start = i + 1;
      }
    }
    if (start == 0 && filled == buffer.length) {
      write(stream, false, buffer, 0, filled);
      return 0;
    }
    System.arraycopy(buffer, start, buffer, 0, filled - start);
    return filled - start;
  }

  private synchronized void write(String stream, boolean full, byte[] text, int from, int length) {
    Instant now = clock.instant();
    String head = MOMENT.format(now) + " " + stream + (full ? " F " : " P ");
    byte[] line = new byte[head.length() + length + 1];
    System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, line, 0, head.length());
    System.arraycopy(text, from, line, head.length(), length);
    line[line.length - 1] = '\n';
    try {
      out.write(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
