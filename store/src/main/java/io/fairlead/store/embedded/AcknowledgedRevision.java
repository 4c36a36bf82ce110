package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/// The newest revision that was acknowledged, kept beside the database.
///
/// SQLite reads its write-ahead log up to the first frame whose checksum is wrong and takes the
/// rest for a torn tail. That is right after a power cut, but it hides a flipped bit in the middle:
/// later commits vanish without a word. So each group of commits, once durable, is noted here with
/// one small write that is not synced. After a power cut the note may be older than the log, never
/// newer than what was made durable; a store that opens below the note has lost acknowledged
/// commits.
final class AcknowledgedRevision implements AutoCloseable {
  private static final int SIZE = 12;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);

  private AcknowledgedRevision(FileChannel channel) {
    this.channel = channel;
  }

  static AcknowledgedRevision open(Path directory) {
    try {
      return new AcknowledgedRevision(
          FileChannel.open(
              file(directory),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE));
    } catch (IOException e) {
      throw new StoreException("cannot open " + file(directory) + ": " + e, e);
    }
  }

  static Path file(Path directory) {
    return directory.resolve("acknowledged");
  }

  /// The revision noted, 0 when there is no note that can be trusted.
  long read() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE);
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {}
    if (bytes.hasRemaining()) {
      return 0;
    }
    long revision = bytes.getLong(0);
    return bytes.getInt(8) == checksum(revision) ? revision : 0;
  }

  void write(long revision) throws IOException {
    buffer.clear().putLong(revision).putInt(checksum(revision)).flip();
    channel.write(buffer, 0);
  }

  private static int checksum(long revision) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(8).putLong(revision).flip());
    return (int) crc.getValue();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
