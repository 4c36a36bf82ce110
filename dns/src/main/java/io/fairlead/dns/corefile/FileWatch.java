package io.fairlead.dns.corefile;

import io.fairlead.client.time.Pacer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Looks at a file now and then and tells when it has another time or size. One thread of its own.
public final class FileWatch implements AutoCloseable {
  private final Path file;
  private final Runnable changed;
  private final @Nullable Thread thread;

  private record Seen(@Nullable FileTime time, long size) {}

  /// @param every zero for never
  public FileWatch(Path file, Duration every, Pacer pacer, Runnable changed) {
    this.file = file;
    this.changed = changed;
    Seen first = look();
    this.thread =
        every.isZero()
            ? null
            : Thread.ofVirtual()
                .name("dns-watch-" + file.getFileName())
                .start(() -> watch(every, pacer, first));
  }

  private void watch(Duration every, Pacer pacer, Seen first) {
    Seen seen = first;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        pacer.pause(every);
        Seen now = look();
        if (!now.equals(seen)) {
          seen = now;
          changed.run();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Seen look() {
    try {
      return new Seen(Files.getLastModifiedTime(file), Files.size(file));
    } catch (IOException e) {
      return new Seen(null, 0);
    }
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
