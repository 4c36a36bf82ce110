package io.fairlead.app.instance;

import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// The claim of one process on a data directory. It is the kernel's lock on a file, so it ends with
/// the process, however that ends: a stale lock cannot exist.
public final class InstanceLock implements AutoCloseable {
  private final FileChannel channel;

  private InstanceLock(FileChannel channel) {
    this.channel = channel;
  }

  /// Takes the lock, or gives nothing when another process (or another part of this one) has it.
  public static Optional<InstanceLock> tryTake(DataDirectory directory) {
    try {
      FileChannel channel =
          FileChannel.open(directory.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        FileLock lock = channel.tryLock();
        if (lock != null) {
          return Optional.of(new InstanceLock(channel));
        }
      } catch (OverlappingFileLockException e) {
        // Held by this very process: as taken as by any other.
      }
      channel.close();
      return Optional.empty();
    } catch (IOException e) {
      throw directory.unusable(e);
    }
  }

  /// As above, and a held lock is an error that names the holder.
  public static InstanceLock take(DataDirectory directory) {
    return tryTake(directory)
        .orElseThrow(
            () ->
                new FairleadException(
                    ErrorCode.FL203,
                    directory.root(),
                    InstanceRecord.read(directory)
                        .map(record -> String.valueOf(record.pid()))
                        .orElse("?")));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
