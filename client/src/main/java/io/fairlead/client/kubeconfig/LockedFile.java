package io.fairlead.client.kubeconfig;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/// A secret file under change: locked against kubectl, replaced in one step, readable by its owner
/// only.
///
/// The lock is the one kubectl takes, a file of the same name with `.lock` at its end. A symbolic
/// link is followed, so that the link stays a link.
final class LockedFile implements AutoCloseable {
  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path target;
  private final Path lock;
  private final CallingUser caller;

  private LockedFile(Path target, Path lock, CallingUser caller) {
    this.target = target;
    this.lock = lock;
    this.caller = caller;
  }

  static LockedFile open(Path file, CallingUser caller) {
    try {
      Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath().normalize();
      Path directory = directoryOf(target);
      makeDirectories(directory, caller.owner());
      Path lock = directory.resolve(target.getFileName() + ".lock");
      Files.createFile(lock, PRIVATE_FILE);
      return new LockedFile(target, lock, caller);
    } catch (FileAlreadyExistsException e) {
      throw new KubeconfigException(
          "cannot change " + file,
          "another program is changing it (" + e.getMessage() + " exists)",
          "Try again; if nothing else runs, remove the lock file",
          e);
    } catch (IOException e) {
      throw failure("change", file, e);
    }
  }

  Path target() {
    return target;
  }

  boolean exists() {
    return Files.exists(target);
  }

  void replace(byte[] content) {
    Path fresh = directoryOf(target).resolve(target.getFileName() + ".fairlead-new");
    try {
      Files.deleteIfExists(fresh);
      Optional<CallingUser.Owner> owner = owner();
      try (FileChannel out =
          FileChannel.open(
              fresh,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PRIVATE_FILE)) {
        ByteBuffer rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
          out.write(rest);
        }
        out.force(true);
      }
      give(fresh, owner);
      Files.move(
          fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failure("write", target, e);
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(target);
    } catch (IOException e) {
      throw failure("delete", target, e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(lock);
    } catch (IOException e) {
      throw failure("unlock", target, e);
    }
  }

  /// The owner of the file keeps it; a new file goes to the caller.
  private Optional<CallingUser.Owner> owner() throws IOException {
    if (!exists()) {
      return caller.owner();
    }
    int uid = (Integer) Files.getAttribute(target, "unix:uid");
    int gid = (Integer) Files.getAttribute(target, "unix:gid");
    return Optional.of(new CallingUser.Owner(uid, gid));
  }

  private static void makeDirectories(Path directory, Optional<CallingUser.Owner> owner)
      throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    makeDirectories(directoryOf(directory), owner);
    Files.createDirectory(directory, PRIVATE_DIRECTORY);
    give(directory, owner);
  }

  private static void give(Path path, Optional<CallingUser.Owner> owner) throws IOException {
    if (owner.isEmpty()) {
      return;
    }
    int uid = owner.get().uid();
    int gid = owner.get().gid();
    if (!Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(uid)) {
      Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
    }
    if (!Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS).equals(gid)) {
      Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    }
  }

  private static Path directoryOf(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? Path.of("/") : parent;
  }

  private static KubeconfigException failure(String verb, Path file, IOException e) {
    return new KubeconfigException(
        "cannot " + verb + " " + file,
        KubeconfigText.reason(e),
        "Check the rights on its directory, or name another file with --kubeconfig",
        e);
  }
}
