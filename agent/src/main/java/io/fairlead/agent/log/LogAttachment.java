package io.fairlead.agent.log;

import io.fairlead.agent.pipe.BoundedPipe;
import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Listens to a container by its log, from now on or from its beginning. For containers that read
/// nothing: their output is all there is to attach to.
public final class LogAttachment implements AttachedProcess {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
  private static final int FIELDS = 4;

  private final Path file;
  private final BooleanSupplier running;
  private final Pacer pacer;
  private final BoundedPipe output = new BoundedPipe();
  private final BoundedPipe error = new BoundedPipe();
  private final Thread thread;
  private final long start;

  private LogAttachment(Path file, long start, BooleanSupplier running, Pacer pacer) {
    this.file = file;
    this.start = start;
    this.running = running;
    this.pacer = pacer;
    this.thread = Tasks.start("attach", this::follow);
  }

  /// @param whole with what was said before, too
  /// @param running whether more may still be written to the file
  public static LogAttachment start(
      Path file, boolean whole, BooleanSupplier running, Pacer pacer) {
    long length = 0;
    try {
      length = !whole && Files.exists(file) ? Files.size(file) : 0;
    } catch (IOException _) {
      // Then from its beginning.
    }
    return new LogAttachment(file, length, running, pacer);
  }

  private void follow() {
    byte[] buffer = new byte[32 << 10];
    ByteArrayOutputStream entry = new ByteArrayOutputStream();
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      in.seek(start);
      boolean more = true;
      while (more) {
        // Asked first: what is written before the end is then read for sure.
        more = running.getAsBoolean();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          take(buffer, count, entry);
        }
        if (more) {
          pacer.pause(LOOK_AGAIN);
        }
      }
    } catch (IOException | InterruptedException _) {
      // The user has left, or the log is gone.
    } finally {
      output.finish();
      error.finish();
    }
  }

  private void take(byte[] bytes, int length, ByteArrayOutputStream entry) throws IOException {
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        deliver(entry.toByteArray());
        entry.reset();
      } else {
        entry.write(bytes[i]);
      }
    }
  }

  /// One entry: `MOMENT STREAM P|F TEXT`.
  private void deliver(byte[] entry) throws IOException {
    String head = new String(entry, 0, Math.min(entry.length, 64), StandardCharsets.ISO_8859_1);
    String[] words = head.split(" ", FIELDS);
    if (words.length < FIELDS) {
      return;
    }
    int from = words[0].length() + words[1].length() + words[2].length() + 3;
    BoundedPipe to = words[1].equals("stderr") ? error : output;
    to.write(entry, from, entry.length - from);
    if (words[2].startsWith("F")) {
      to.write(new byte[] {'\n'}, 0, 1);
    }
  }

  @Override
  public OutputStream input() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public InputStream output() {
    return output.input();
  }

  @Override
  public InputStream error() {
    return error.input();
  }

  @Override
  public void resize(int columns, int rows) {}

  @Override
  public int await() throws InterruptedException {
    thread.join();
    return 0;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
