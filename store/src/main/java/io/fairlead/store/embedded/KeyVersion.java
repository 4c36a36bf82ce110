package io.fairlead.store.embedded;

import io.fairlead.store.StoreEntry;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The newest state of a key in memory.
///
/// @param key which
/// @param id the history row it comes from
/// @param previousId the row before that, 0 when there is none
/// @param entry null in a tombstone, which is kept until compaction so that the past can be read
record KeyVersion(String key, long id, long previousId, @Nullable StoreEntry entry) {
  static KeyVersion of(HistoryRow row) {
    return new KeyVersion(row.key, row.id, row.previousId, row.entry());
  }

  long modRevision() {
    return HistoryRow.revisionOf(id);
  }

  /// This key's part in the sum over all keys, see [StateRow#sum()].
  long fingerprint() {
    CRC32C crc = new CRC32C();
    crc.update(key.getBytes(StandardCharsets.UTF_8));
    long mixed = (crc.getValue() << 32) ^ (id * 0x9E3779B97F4A7C15L);
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
