package io.fairlead.store.embedded;

import io.fairlead.store.StoreEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// One change as it stands in the history table: what a key held from a revision on.
///
/// A row's id is its revision and its place in the commit, so that the table is in the order of
/// history and a commit's rows lie together. The checksum covers every column.
final class HistoryRow {
  /// A commit has at most this many changes; its rows' ids share the bits above.
  static final int CHANGES_PER_COMMIT = 1 << 12;

  final long id;

  /// The row this one took the place of, 0 when the key was not there at all. May be a tombstone.
  final long previousId;

  /// When the key came to be; 0 in a tombstone.
  final long createRevision;

  final long ttlSeconds;

  /// How many changes the commit has.
  final int changes;

  final String key;

  /// Null in a tombstone.
  final byte @Nullable [] value;

  HistoryRow(
      long id,
      long previousId,
      long createRevision,
      long ttlSeconds,
      int changes,
      String key,
      byte @Nullable [] value) {
    this.id = id;
    this.previousId = previousId;
    this.createRevision = createRevision;
    this.ttlSeconds = ttlSeconds;
    this.changes = changes;
    this.key = key;
    this.value = value;
  }

  static long firstId(long revision) {
    return revision * CHANGES_PER_COMMIT;
  }

  static long lastId(long revision) {
    return firstId(revision) + CHANGES_PER_COMMIT - 1;
  }

  static long revisionOf(long id) {
    return id / CHANGES_PER_COMMIT;
  }

  long revision() {
    return revisionOf(id);
  }

  int ordinal() {
    return (int) (id % CHANGES_PER_COMMIT);
  }

  @Nullable StoreEntry entry() {
    return value == null ? null : new StoreEntry(key, value, createRevision, revision());
  }

  long checksum() {
    ByteBuffer head = ByteBuffer.allocate(40);
    head.putLong(id).putLong(previousId).putLong(createRevision).putLong(ttlSeconds);
    head.putInt(changes).putInt(value == null ? -1 : value.length).flip();
    CRC32C crc = new CRC32C();
    crc.update(head);
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    if (value != null) {
      crc.update(value);
    }
    return crc.getValue();
  }
}
