package io.fairlead.agent.volume;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Gives a volume to a group (`fsGroup`), so that a container whose programs run as no user in
/// particular can use it.
final class GroupOwnership {
  private static final int SET_GROUP = 02000;
  private static final int READ = 0440;
  private static final int WRITE = 0220;
  private static final int ENTER = 0110;

  private GroupOwnership() {}

  /// The mode of a file that the group may read.
  static int readable(int mode) {
    return mode | READ;
  }

  /// Gives everything below to the group. New files in its directories will be the group's too.
  ///
  /// @param writable the group may also change it
  static void give(Path root, int group, boolean writable) {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path one : all.toList()) {
        Files.setAttribute(one, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
        if (!Files.isSymbolicLink(one)) {
          int mode = (int) Files.getAttribute(one, "unix:mode") & 07777;
          boolean directory = Files.isDirectory(one);
          Files.setAttribute(
              one,
              "unix:mode",
              mode | READ | (writable ? WRITE : 0) | (directory ? ENTER | SET_GROUP : 0));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
