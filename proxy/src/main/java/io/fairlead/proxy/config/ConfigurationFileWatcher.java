package io.fairlead.proxy.config;

import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
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
/// The loop `proxy-configuration-file` compares; it ends with [#close] or after it has called the
/// listener.
public final class ConfigurationFileWatcher implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Path file;
  private final byte @Nullable [] first;
  private final Pacer pacer;
  private final Runnable changed;
  private final SupervisedLoop loop;

  private ConfigurationFileWatcher(Path file, Pacer pacer, Runnable changed) {
    this.file = file;
    this.first = read(file);
    this.pacer = pacer;
    this.changed = changed;
    this.loop = SupervisedLoop.of("proxy-configuration-file").key(file).build(this::compare);
  }

  /// Begins to compare.
  ///
  /// @param changed runs once, on the loop's thread
  public static ConfigurationFileWatcher watch(Path file, Pacer pacer, Runnable changed) {
    ConfigurationFileWatcher watcher = new ConfigurationFileWatcher(file, pacer, changed);
    watcher.loop.start();
    return watcher;
  }

  private void compare() throws InterruptedException {
    pacer.pause(PERIOD);
    byte[] now = read(file);
    if (now != null && !Arrays.equals(now, first)) {
      changed.run();
      loop.finish();
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
    loop.close();
  }
}
