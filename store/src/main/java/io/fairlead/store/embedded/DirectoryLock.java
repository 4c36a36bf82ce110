package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Lets one process at a time use a store's directory. The kernel drops the lock when the process
/// ends, however it ends, so a stale file does no harm; its text only names the holder.
final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /// Takes the lock of that directory.
  ///
  /// @throws StoreException when another process, or another store of this one, holds it
  static DirectoryLock take(Path directory) {
    Path file = directory.resolve("lock");
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        String holder = Files.readString(file).strip();
        channel.close();
        throw new StoreException(
            "the store in "
                + directory
                + " is in use by process "
                + (holder.isEmpty() ? "(unknown)" : holder)
                + ". Stop that process or choose another directory",
            null);
      }
      note(channel);
      return new DirectoryLock(channel);
    } catch (IOException e) {
      closeQuietly(channel, e);
      throw new StoreException("cannot lock the store's directory: " + e, e);
    }
  }

  /// Writes who holds the lock. Only for people, so a full disk does not stop the start.
  private static void note(FileChannel channel) {
    try {
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
      channel.write(ByteBuffer.wrap(pid), 0);
      channel.truncate(pid.length);
    } catch (IOException _) {
      return;
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException _) {
      return null;
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel, IOException cause) {
    if (channel == null) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new StoreException("cannot release the lock of the store's directory: " + e, e);
    }
  }
}
