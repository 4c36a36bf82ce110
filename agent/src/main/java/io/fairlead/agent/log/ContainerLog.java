package io.fairlead.agent.log;

import io.fairlead.work.Pacer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/// Copies a log file as container engines write it, `MOMENT STREAM P|F TEXT`, to a reader: parts of
/// one line are joined, moments left out unless wanted. A follower goes on in the new file when the
/// log is put aside for being too long. Used by one thread.
public final class ContainerLog {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final LogOptions options;
  private final OutputStream out;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream raw = new ByteArrayOutputStream();
  private final Deque<byte[]> last = new ArrayDeque<>();
  private String moment = "";
  // A part of the line was given to the reader before its end came.
  private boolean begun;
  private boolean holding;
  private long left;

  private ContainerLog(LogOptions options, OutputStream out) {
    this.options = options;
    this.out = out;
    this.holding = options.tail().isPresent();
    this.left = options.limit().orElse(Long.MAX_VALUE);
  }

  /// @param open whether more may still be written to the file
  public static void copy(
      Path file, LogOptions options, BooleanSupplier open, Pacer pacer, OutputStream out)
      throws IOException, InterruptedException {
    if (!Files.exists(file)) {
      return;
    }
    new ContainerLog(options, out).copy(file, open, pacer);
  }

  private void copy(Path file, BooleanSupplier open, Pacer pacer)
      throws IOException, InterruptedException {
    try (LogReader in = new LogReader(file)) {
      boolean more = true;
      while (more && left > 0) {
        // Asked first: what is written before the end is then read for sure.
        more = options.follow() && open.getAsBoolean();
        in.readAll(this::take);
        if (options.follow() && in.replaced(!more)) {
          in.readAll(this::take);
        }
        partial();
        release();
        out.flush();
        if (more) {
          pacer.pause(LOOK_AGAIN);
        }
      }
    }
  }

  private void take(byte[] bytes, int length) throws IOException {
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        entry(raw.toByteArray());
        raw.reset();
      } else {
        raw.write(bytes[i]);
      }
    }
  }

  private void entry(byte[] entry) throws IOException {
    String head = new String(entry, 0, Math.min(entry.length, 64), StandardCharsets.ISO_8859_1);
    String[] words = head.split(" ", 4);
    if (words.length < 4) {
      return;
    }
    int start = words[0].length() + words[1].length() + words[2].length() + 3;
    if (line.size() == 0 && !begun) {
      moment = words[0];
    }
    line.write(entry, start, entry.length - start);
    if (words[2].startsWith("P")) {
      return;
    }
    line.write('\n');
    text();
    begun = false;
  }

  /// What was written of the last line so far: a program may end without ending it.
  private void partial() throws IOException {
    if (line.size() > 0) {
      text();
      begun = true;
    }
  }

  private void text() throws IOException {
    byte[] text = line.toByteArray();
    line.reset();
    if (wanted()) {
      emit(
          options.timestamps() && !begun
              ? joined((moment + " ").getBytes(StandardCharsets.US_ASCII), text)
              : text);
    }
  }

  private boolean wanted() {
    if (options.since().isEmpty()) {
      return true;
    }
    try {
      return !Instant.parse(moment).isBefore(options.since().get());
    } catch (DateTimeException e) {
      return true;
    }
  }

  private void emit(byte[] text) throws IOException {
    if (holding) {
      last.add(text);
      if (last.size() > options.tail().orElseThrow()) {
        last.remove();
      }
      return;
    }
    int length = (int) Math.min(text.length, left);
    out.write(text, 0, length);
    left -= length;
  }

  /// The end was reached once: from now on lines are no longer held back.
  private void release() throws IOException {
    if (holding) {
      holding = false;
      for (byte[] text : last) {
        emit(text);
      }
      last.clear();
    }
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
