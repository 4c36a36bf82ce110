package io.fairlead.app.hoststate;

import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.DataDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/// The claim of one process to be the node of a network namespace. Two would overwrite each other's
/// rules. Like the claim on a data directory it is a lock of the kernel and ends with the process.
public final class NodeLock implements AutoCloseable {
  private static final Path DIRECTORY = Path.of("/run/fairlead");

  private final FileChannel channel;

  private NodeLock(FileChannel channel) {
    this.channel = channel;
  }

  /// Takes it for the network namespace of this process.
  public static NodeLock take(DataDirectory holder) {
    String number = NetworkSnapshot.thisNamespace().replaceAll("\\D", "");
    return take(DIRECTORY, "node-" + number, holder);
  }

  /// @param name of the lock, a file that also names the holder
  static NodeLock take(Path directory, String name, DataDirectory holder) {
    Path file = directory.resolve(name);
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (locked(channel)) {
        channel.truncate(0);
        channel.write(
            ByteBuffer.wrap(holder.root().toString().getBytes(StandardCharsets.UTF_8)), 0);
        return new NodeLock(channel);
      }
      channel.close();
      throw new FairleadException(ErrorCode.FL223, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      // Held by this very process: as taken as by any other.
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
