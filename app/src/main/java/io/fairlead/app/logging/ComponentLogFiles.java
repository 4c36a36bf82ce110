package io.fairlead.app.logging;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.ErrorManager;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/// Writes what single components of a process log to a file each, in the format of container logs,
/// `MOMENT STREAM F LINE`: the node's server shows them as logs of the pods that stand for these
/// components. A file is made with its first line, and begun again at a size; the one before is
/// kept as `NAME.log.1`.
final class ComponentLogFiles extends Handler {
  private static final long LARGEST = 10 << 20;

  /// By the beginning of a logger's name.
  private static final Map<String, String> COMPONENTS =
      Map.of(
          "io.fairlead.proxy.", "proxy",
          "io.fairlead.app.node.NodeProxy", "proxy",
          "io.fairlead.dns.", "dns-server",
          "io.fairlead.app.dns.", "dns-server",
          "io.fairlead.agent.", "agent");

  private final Path directory;
  // Guarded by this.
  private final Map<String, OpenFile> open = new HashMap<>();

  ComponentLogFiles(Path directory, Formatter formatter) {
    this.directory = directory;
    setFormatter(formatter);
  }

  private static final class OpenFile {
    private final OutputStream out;
    private long size;

    OpenFile(OutputStream out, long size) {
      this.out = out;
      this.size = size;
    }
  }

  /// The component a logger belongs to; null for none.
  static @Nullable String component(String logger) {
    for (Map.Entry<String, String> each : COMPONENTS.entrySet()) {
      if (logger.startsWith(each.getKey())) {
        return each.getValue();
      }
    }
    return null;
  }

  @Override
  public synchronized void publish(LogRecord line) {
    String logger = line.getLoggerName();
    String component = logger == null || !isLoggable(line) ? null : component(logger);
    if (component == null) {
      return;
    }
    StringBuilder text = new StringBuilder();
    getFormatter()
        .format(line)
        .lines()
        .forEach(each -> text.append(line.getInstant() + " stderr F " + each + "\n"));
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    try {
      OpenFile file = file(component);
      file.out.write(bytes);
      file.size += bytes.length;
    } catch (IOException e) {
      reportError(directory.toString(), e, ErrorManager.WRITE_FAILURE);
    }
  }

  private OpenFile file(String component) throws IOException {
    OpenFile present = open.get(component);
    if (present != null && present.size < LARGEST) {
      return present;
    }
    Path path = Files.createDirectories(directory).resolve(component + ".log");
    if (present != null) {
      present.out.close();
    }
    if (Files.exists(path) && Files.size(path) >= LARGEST) {
      Files.move(
          path,
          path.resolveSibling(component + ".log.1"),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.ATOMIC_MOVE);
    }
    OpenFile opened =
        new OpenFile(
            Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            Files.size(path));
    open.put(component, opened);
    return opened;
  }

  @Override
  public void flush() {
    // Nothing is held back.
  }

  @Override
  public synchronized void close() {
    for (OpenFile file : open.values()) {
      try {
        file.out.close();
      } catch (IOException e) {
        reportError(directory.toString(), e, ErrorManager.CLOSE_FAILURE);
      }
    }
    open.clear();
  }
}
