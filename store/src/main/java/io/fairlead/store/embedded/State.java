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
record State(long revision, long compacted, long cleanedId, long keys, long sum) {
  static final State EMPTY = new State(1, 0, 0, 0, 0);

  long checksum() {
    ByteBuffer bytes = ByteBuffer.allocate(40);
    bytes.putLong(revision).putLong(compacted).putLong(cleanedId).putLong(keys).putLong(sum).flip();
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }

  State withRevision(long newRevision) {
    return new State(newRevision, compacted, cleanedId, keys, sum);
  }

  State withCompacted(long newCompacted) {
    return new State(revision, newCompacted, cleanedId, keys, sum);
  }

  State withCleaned(long newCleanedId) {
    return new State(revision, compacted, newCleanedId, keys, sum);
  }

  State plus(Version version) {
    return new State(revision, compacted, cleanedId, keys + 1, sum + version.fingerprint());
  }

  State minus(Version version) {
    return new State(revision, compacted, cleanedId, keys - 1, sum - version.fingerprint());
  }
}
