package io.fairlead.kernel.syscall;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Where something is mounted below a directory: what is deleted there would be deleted in another
/// place.
public final class MountPoints {
  private static final Path TABLE = Path.of("/proc/self/mountinfo");
  private static final int TARGET = 4; // proc(5): the fifth field

  private MountPoints() {}

  /// Mount points at or below a directory, in the order they were mounted. Links in its path are
  /// followed.
  public static List<Path> below(Path directory) {
    try {
      Path real = Files.exists(directory) ? directory.toRealPath() : directory.toAbsolutePath();
      return targets(Files.readAllLines(TABLE)).stream().filter(at -> at.startsWith(real)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Takes away all that is mounted at or below a directory. What uses it keeps it.
  public static void detachBelow(Path directory) {
    for (Path point : below(directory).reversed()) {
      FileCalls.unmount(point, FileCalls.MNT_DETACH);
    }
  }

  static List<Path> targets(List<String> table) {
    List<Path> targets = new ArrayList<>();
    for (String line : table) {
      String[] fields = line.split(" ");
      if (fields.length > TARGET) {
        targets.add(Path.of(plain(fields[TARGET])));
      }
    }
    return targets;
  }

  /// Spaces, tabs, line ends and backslashes are three octal digits in the table.
  private static String plain(String escaped) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      char next = escaped.charAt(i);
      if (next == '\\' && i + 3 < escaped.length()) {
        plain.append((char) Integer.parseInt(escaped.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        plain.append(next);
      }
    }
    return plain.toString();
  }
}
