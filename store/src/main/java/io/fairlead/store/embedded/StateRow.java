package io.fairlead.store.embedded;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// The one row that sums up the store; written in every transaction.
///
/// @param revision the newest one
/// @param compacted history up to and including this revision is forgotten
/// @param cleanedId history rows up to this id have been looked at by the cleaner
/// @param keys how many keys history knows, tombstones included
/// @param sum the wrapping sum of their fingerprints: a row lost, added or changed behind our back
///   changes it
record StateRow(long revision, long compacted, long cleanedId, long keys, long sum) {
  static final StateRow EMPTY = new StateRow(1, 0, 0, 0, 0);

  long checksum() {
    ByteBuffer bytes = ByteBuffer.allocate(40);
    bytes.putLong(revision).putLong(compacted).putLong(cleanedId).putLong(keys).putLong(sum).flip();
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  StateRow withRevision(long newRevision) {
    return new StateRow(newRevision, compacted, cleanedId, keys, sum);
  }

  StateRow withCompacted(long newCompacted) {
    return new StateRow(revision, newCompacted, cleanedId, keys, sum);
  }

  StateRow withCleaned(long newCleanedId) {
    return new StateRow(revision, compacted, newCleanedId, keys, sum);
  }

  StateRow plus(KeyVersion version) {
    return new StateRow(revision, compacted, cleanedId, keys + 1, sum + version.fingerprint());
  }

  StateRow minus(KeyVersion version) {
    return new StateRow(revision, compacted, cleanedId, keys - 1, sum - version.fingerprint());
  }
}
