package io.fairlead.proxy.config;

import io.fairlead.client.time.Pacer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Notices that the configuration file says something else than at the start. The content is
/// compared, not the time of change: a mounted ConfigMap changes by a link that is turned round,
/// and a file that is written again with the same words is no change. A file that is away for a
/// while is none either.
///
/// One virtual thread looks; it ends with [#close] or after it has called the listener.
public final class ConfigurationFile implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Thread thread;

  private ConfigurationFile(Thread thread) {
    this.thread = thread;
  }

  /// Begins to look.
  ///
  /// @param changed runs once, on the thread that looks
  public static ConfigurationFile watch(Path file, Pacer pacer, Runnable changed) {
    byte @Nullable [] first = read(file);
    return new ConfigurationFile(
        Thread.ofVirtual()
            .name("configuration-file")
            .start(() -> look(file, first, pacer, changed)));
  }

  private static void look(Path file, byte @Nullable [] first, Pacer pacer, Runnable changed) {
    try {
      while (true) {
        pacer.pause(PERIOD);
        byte[] now = read(file);
        if (now != null && !Arrays.equals(now, first)) {
          changed.run();
          return;
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private static byte @Nullable [] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException _) {
      return null;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
