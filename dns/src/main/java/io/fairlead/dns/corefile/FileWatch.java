package io.fairlead.dns.corefile;

import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads the time and size of a file at an interval and calls back when they change. A callback
/// that throws is called again.
public final class FileWatch implements AutoCloseable {
  private final Path file;
  private final Runnable changed;
  private final Duration every;
  private final Pacer pacer;
  private final @Nullable SupervisedLoop loop;
  // Owned by the loop.
  private FileState seen;

  private record FileState(@Nullable FileTime time, long size) {}

  /// @param every zero for never
  public FileWatch(Path file, Duration every, Pacer pacer, Runnable changed) {
    this.file = file;
    this.changed = changed;
    this.every = every;
    this.pacer = pacer;
    this.seen = state();
    this.loop =
        every.isZero()
            ? null
            : SupervisedLoop.of("dns-file-watch").key(file.getFileName()).start(this::check);
  }

  private void check() throws InterruptedException {
    pacer.pause(every);
    FileState now = state();
    if (!now.equals(seen)) {
      changed.run();
      seen = now;
    }
  }

  private FileState state() {
    try {
      return new FileState(Files.getLastModifiedTime(file), Files.size(file));
    } catch (IOException e) {
      return new FileState(null, 0);
    }
  }

  @Override
  public void close() {
    if (loop != null) {
      loop.close();
    }
  }
}
