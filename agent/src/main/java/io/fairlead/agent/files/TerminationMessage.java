package io.fairlead.agent.files;

import io.fairlead.agent.log.ContainerLog;
import io.fairlead.agent.log.LogOptions;
import io.fairlead.work.Pacer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// What a container said about its end: the beginning of the file it was given for that, or, where
/// its spec says so, the end of its log after a failure.
final class TerminationMessage {
  private static final int LONGEST = 4096;
  private static final int LONGEST_LOG = 2048;
  private static final int LINES = 80;

  private TerminationMessage() {}

  /// @param fallback the log counts when the file is empty
  static String of(Path file, Path log, boolean fallback) {
    try {
      String said = beginning(file);
      return said.isEmpty() && fallback ? lastLines(log) : said;
    } catch (IOException _) {
      // Nothing that could be read was said.
      return "";
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static String beginning(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return "";
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8);
    }
  }

  private static String lastLines(Path log) throws IOException, InterruptedException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    ContainerLog.copy(
        log,
        new LogOptions(false, false, Optional.of(LINES), Optional.empty(), Optional.empty()),
        () -> false,
        Pacer.system(),
        lines);
    byte[] bytes = lines.toByteArray();
    int from = Math.max(0, bytes.length - LONGEST_LOG);
    return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
  }
}
