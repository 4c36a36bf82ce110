package io.fairlead.server.pki;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The directory that holds keys and certificates. Only its owner can enter it; a file is either
/// there as a whole or not at all, also after a power cut.
final class PkiFiles {
  private static final Logger log = LoggerFactory.getLogger(PkiFiles.class);
  private static final Set<PosixFilePermission> OWNER_ONLY_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_ONLY_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> PUBLIC_FILE =
      PosixFilePermissions.fromString("rw-r--r--");

  private static final Object PROCESS_LOCK = new Object();

  private final Path directory;

  PkiFiles(Path directory) {
    this.directory = directory;
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(
            directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY_DIRECTORY));
      }
      tighten(directory, OWNER_ONLY_DIRECTORY);
    } catch (IOException e) {
      throw new PkiException(
          "cannot keep keys in " + directory,
          reason(e),
          "choose a directory that this user owns",
          e);
    }
  }

  Path path(String name) {
    return directory.resolve(name);
  }

  boolean exists(String name) {
    return Files.exists(path(name));
  }

  /// Makes sure that only the owner can read a key that was copied here.
  void tightenKey(String name) {
    try {
      tighten(path(name), OWNER_ONLY_FILE);
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", path(name)).setCause(e).log("key is readable by others");
    }
  }

  void writeKey(String name, String text) {
    write(name, text, OWNER_ONLY_FILE);
  }

  void writePublic(String name, String text) {
    write(name, text, PUBLIC_FILE);
  }

  /// Runs `work` while no other thread or process changes this directory.
  <T> T locked(Supplier<T> work) {
    synchronized (PROCESS_LOCK) {
      try (FileChannel channel =
              FileChannel.open(path(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        assert lock.isValid();
        return work.get();
      } catch (IOException e) {
        throw unwritable(".lock", e);
      }
    }
  }

  private void write(String name, String text, Set<PosixFilePermission> permissions) {
    Path temporary = path(name + ".new");
    try {
      Files.deleteIfExists(temporary);
      try (FileChannel channel =
          FileChannel.open(
              temporary,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(permissions))) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(temporary, path(name), StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    } catch (IOException e) {
      throw unwritable(name, e);
    }
  }

  private PkiException unwritable(String name, IOException e) {
    return new PkiException(
        "cannot write " + path(name), reason(e), "make the directory writable, or free space", e);
  }

  private static void tighten(Path path, Set<PosixFilePermission> wanted) throws IOException {
    Set<PosixFilePermission> present = Files.getPosixFilePermissions(path);
    if (!wanted.containsAll(present)) {
      Files.setPosixFilePermissions(path, wanted);
      log.atWarn().addKeyValue("path", path).log("was open to others, closed it");
    }
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
