package io.fairlead.proxy.bgp;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// Writes configurations of BIRD: whole or not at all, and readable only for users who may know the
/// passwords in them.
final class BirdFile {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");

  private BirdFile() {}

  /// Replaces a file that only its owner reads.
  ///
  /// @throws BgpEngineException when it cannot be written
  static void write(Path file, String text) {
    try {
      Files.move(
          draft(file, text),
          file,
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new BgpEngineException("cannot write " + file + ": " + e, e);
    }
  }

  /// Replaces a file that a BIRD of the machine reads, which runs as another user: its group stays,
  /// or is that of the directory, and may read it.
  static void writeForGroup(Path file, String text) {
    try {
      Path draft = draft(file, text);
      Path model = Files.exists(file) ? file : file.toAbsolutePath().getParent();
      if (model != null) {
        GroupPrincipal group =
            Files.readAttributes(model, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .group();
        PosixFileAttributeView view =
            Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        view.setGroup(group);
        Set<PosixFilePermission> readable = EnumSet.copyOf(OWNER);
        readable.add(PosixFilePermission.GROUP_READ);
        view.setPermissions(readable);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new BgpEngineException("cannot write " + file + ": " + e, e);
    }
  }

  private static Path draft(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    try (WritableByteChannel channel =
        Files.newByteChannel(
            draft,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNER))) {
      Channels.newOutputStream(channel).write(text.getBytes(StandardCharsets.UTF_8));
    }
    return draft;
  }
}
