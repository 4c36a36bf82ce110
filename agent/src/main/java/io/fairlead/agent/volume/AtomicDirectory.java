package io.fairlead.agent.volume;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A directory whose files change all at once.
///
/// How it works: the files lie in a hidden directory; a link `..data` leads to it, and the names
/// users see are links through `..data`. A new content is written beside the old one, then the one
/// link is replaced, which the kernel does in one step.
final class AtomicDirectory {
  /// One file.
  ///
  /// @param mode its permissions, such as 0644
  record Content(byte[] bytes, int mode) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Content(byte[] theirs, int theirMode)
          && theirMode == mode
          && Arrays.equals(bytes, theirs);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes) * 31 + mode;
    }
  }

  private static final String DATA = "..data";

  private AtomicDirectory() {}

  /// Makes the directory hold exactly these files, by their paths in it. Nothing is written when it
  /// does already.
  ///
  /// @return whether something was written
  static boolean write(Path directory, Map<String, Content> files) {
    try {
      Files.createDirectories(directory);
      Path data = directory.resolve(DATA);
      if (Files.exists(data) && current(data.toRealPath()).equals(files)) {
        return false;
      }
      Path old = Files.exists(data) ? data.toRealPath() : null;
      Path next = Files.createTempDirectory(directory, "..");
      try {
        fill(next, files);
      } catch (IOException | RuntimeException e) {
        delete(next);
        throw e;
      }
      Path link = directory.resolve("..data_tmp");
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, next.getFileName());
      Files.move(link, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      showNames(directory, next);
      if (old != null) {
        delete(old);
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static void fill(Path next, Map<String, Content> files) throws IOException {
    Files.setPosixFilePermissions(next, permissions(0755));
    for (Map.Entry<String, Content> file : files.entrySet()) {
      Path target = inside(next, file.getKey());
      Files.createDirectories(target.toAbsolutePath().getParent());
      Files.write(target, file.getValue().bytes());
      Files.setPosixFilePermissions(target, permissions(file.getValue().mode()));
    }
  }

  private static Path inside(Path root, String name) throws IOException {
    Path target;
    try {
      target = root.resolve(name).normalize();
    } catch (InvalidPathException e) {
      throw new IOException("path \"" + name + "\" of a file is not valid", e);
    }
    if (!target.startsWith(root) || target.equals(root)) {
      throw new IOException("path \"" + name + "\" of a file leads out of the volume");
    }
    return target;
  }

  private static void showNames(Path directory, Path content) throws IOException {
    Set<String> wanted;
    try (Stream<Path> names = Files.list(content)) {
      wanted =
          names
              .map(one -> String.valueOf(one.getFileName()))
              .collect(java.util.stream.Collectors.toSet());
    }
    for (String name : wanted) {
      Path link = directory.resolve(name);
      if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
        Files.createSymbolicLink(link, Path.of(DATA, name));
      }
    }
    try (Stream<Path> names = Files.list(directory)) {
      for (Path one : names.toList()) {
        String name = String.valueOf(one.getFileName());
        if (Files.isSymbolicLink(one) && !name.startsWith("..") && !wanted.contains(name)) {
          Files.delete(one);
        }
      }
    }
  }

  private static Map<String, Content> current(Path root) throws IOException {
    Map<String, Content> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        int mode = 0;
        Set<PosixFilePermission> set = Files.getPosixFilePermissions(file);
        for (PosixFilePermission one : set) {
          mode |= 0400 >> one.ordinal();
        }
        found.put(root.relativize(file).toString(), new Content(Files.readAllBytes(file), mode));
      }
    }
    return found;
  }

  static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission one : PosixFilePermission.values()) {
      if ((mode & 0400 >> one.ordinal()) != 0) {
        set.add(one);
      }
    }
    return set;
  }

  static void delete(Path root) {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> all = Files.walk(root)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
