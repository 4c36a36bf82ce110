package io.fairlead.agent.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/// Keeps logs from filling the disk: a file that has grown too long is put aside under the moment
/// of that, `0.log.20260101-000000`, and its writer begins another. Of those put aside the newest
/// stays as it is, since a reader may still have it open; older ones are compressed, and the oldest
/// go.
///
/// @param size of a file that is long enough to be put aside, in bytes
/// @param files how many there may be of one run, with the one being written
public record LogRotation(long size, int files) {
  /// 10 MiB, five files.
  public static final LogRotation STANDARD = new LogRotation(10L << 20, 5);

  private static final String COMPRESSED = ".gz";
  private static final String UNFINISHED = ".tmp";
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  /// Puts a file aside if it is too long. When the writer does not begin another, everything is as
  /// it was.
  ///
  /// @param reopen makes the writer begin a new file of that name
  /// @return whether it was put aside
  public boolean rotate(Path file, Instant now, Runnable reopen) throws IOException {
    if (!Files.exists(file) || Files.size(file) <= size) {
      return false;
    }
    Path aside = file.resolveSibling(file.getFileName() + "." + MOMENT.format(now));
    if (Files.exists(aside)) {
      return false;
    }
    Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
    try {
      reopen.run();
    } catch (RuntimeException e) {
      if (!Files.exists(file)) {
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
      }
      throw e;
    }
    tidy(file);
    return true;
  }

  private void tidy(Path file) throws IOException {
    List<Path> old = aside(file);
    for (int i = 0; i < old.size(); i++) {
      Path one = old.get(i);
      if (i >= files - 1) {
        Files.delete(one);
      } else if (i > 0 && !one.toString().endsWith(COMPRESSED)) {
        compress(one);
      }
    }
  }

  /// What was put aside of a log, the newest first. Leftovers of a compression that was cut short
  /// are removed.
  private static List<Path> aside(Path file) throws IOException {
    String prefix = file.getFileName() + ".";
    List<Path> all;
    try (Stream<Path> siblings = Files.list(file.toAbsolutePath().getParent())) {
      all =
          siblings
              .filter(one -> String.valueOf(one.getFileName()).startsWith(prefix))
              .sorted(Comparator.comparing(Path::toString).reversed())
              .toList();
    }
    for (Path one : all) {
      if (one.toString().endsWith(UNFINISHED)) {
        Files.delete(one);
      }
    }
    return all.stream().filter(one -> !one.toString().endsWith(UNFINISHED)).toList();
  }

  private static void compress(Path file) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(unfinished))) {
      Files.copy(file, out);
    }
    Files.move(
        unfinished,
        file.resolveSibling(file.getFileName() + COMPRESSED),
        StandardCopyOption.ATOMIC_MOVE);
    Files.delete(file);
  }
}
