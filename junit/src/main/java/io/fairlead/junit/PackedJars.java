package io.fairlead.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The program's jars inside the jar of this module, and where they lie unpacked.
///
/// They are unpacked once for each version, into the user's cache directory; a JVM that finds them
/// there takes them. Two that begin at once both unpack, and the first to finish wins.
///
/// @param source the jar, or the directory of classes of a build
/// @param cache where versions lie
record PackedJars(Path source, Path cache) {
  private static final String DIRECTORY = "io/fairlead/junit/program";

  static PackedJars of(Class<?> type) {
    String home = System.getenv("XDG_CACHE_HOME");
    Path cache =
        home == null || home.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(home);
    return new PackedJars(ClusterProgram.source(type), cache.resolve("fairlead-junit"));
  }

  /// Where they are, each a file; none when there are none.
  List<Path> unpacked() {
    if (Files.isDirectory(source)) {
      Path packed = source.resolve(DIRECTORY);
      return Files.isDirectory(packed) ? ClusterProgram.files(packed) : List.of();
    }
    try (ZipFile jar = new ZipFile(source.toFile())) {
      List<? extends ZipEntry> entries =
          jar.stream()
              .filter(entry -> entry.getName().startsWith(DIRECTORY + "/") && !entry.isDirectory())
              .sorted(Comparator.comparing(ZipEntry::getName))
              .toList();
      if (entries.isEmpty()) {
        return List.of();
      }
      Path version = cache.resolve(fingerprint(entries));
      if (!Files.isDirectory(version)) {
        unpack(jar, entries, version);
      }
      return ClusterProgram.files(version);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack " + source + " to " + cache + ": " + e, e);
    }
  }

  /// Another version has other sums.
  private static String fingerprint(List<? extends ZipEntry> entries) {
    CRC32 sum = new CRC32();
    long size = 0;
    for (ZipEntry entry : entries) {
      sum.update(entry.getName().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      sum.update(
          HexFormat.of()
              .toHexDigits(entry.getCrc())
              .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      size += entry.getSize();
    }
    return HexFormat.of().toHexDigits(sum.getValue()) + "-" + size;
  }

  private void unpack(ZipFile jar, List<? extends ZipEntry> entries, Path version)
      throws IOException {
    // A user who may write there decides what tests run: only the owner may.
    Set<PosixFilePermission> mine = PosixFilePermissions.fromString("rwx------");
    Files.createDirectories(cache, PosixFilePermissions.asFileAttribute(mine));
    Path fresh = Files.createTempDirectory(cache, "unpacking");
    List<Path> made = new ArrayList<>();
    for (ZipEntry entry : entries) {
      Path file = fresh.resolve(entry.getName().substring(DIRECTORY.length() + 1));
      made.add(file);
      try (InputStream in = jar.getInputStream(entry)) {
        Files.copy(in, file);
      }
    }
    try {
      Files.move(fresh, version, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
      for (Path file : made) {
        Files.delete(file);
      }
      Files.delete(fresh);
    }
  }

  /// Deletes a directory with all in it.
  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
