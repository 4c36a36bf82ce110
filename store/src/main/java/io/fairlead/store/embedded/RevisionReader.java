package io.fairlead.store.embedded;

import io.fairlead.store.CompactedException;
import io.fairlead.store.KeyChange;
import io.fairlead.store.Range;
import io.fairlead.store.RangeResult;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.engine.History;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Reads what was: entries at an earlier revision, and changes since one.
///
/// Rows are never changed and only deleted by compaction, so a missing row either means that the
/// asked moment has been compacted meanwhile, or damage.
final class RevisionReader implements History {
  private static final long BATCH_BYTES = 4L << 20;
  private static final int BATCH_CHANGES = 2000;

  private final Path file;
  private final ReadConnectionPool readers;
  private final LongSupplier compacted;

  RevisionReader(Path file, ReadConnectionPool readers, LongSupplier compacted) {
    this.file = file;
    this.readers = readers;
    this.compacted = compacted;
  }

  /// The page of those versions as they were at `range.revision()`. Keys that have not changed
  /// since come from memory; for the others the chain of earlier rows is followed back.
  RangeResult page(List<KeyVersion> versions, Range range) {
    RangeResult page = readers.use(reader -> page(reader, versions, range));
    checkCompacted(range.revision());
    return page;
  }

  private RangeResult page(HistoryReader reader, List<KeyVersion> versions, Range range)
      throws SQLException {
    List<StoreEntry> entries = new ArrayList<>();
    long remaining = 0;
    for (KeyVersion version : versions) {
      StoreEntry entry = at(reader, version, range.revision());
      if (entry == null) {
        continue;
      }
      if (range.limit() > 0 && entries.size() == range.limit()) {
        remaining++;
      } else {
        entries.add(entry);
      }
    }
    return new RangeResult(List.copyOf(entries), remaining, range.revision());
  }

  private @Nullable StoreEntry at(HistoryReader reader, KeyVersion version, long revision)
      throws SQLException {
    if (version.modRevision() <= revision) {
      return version.entry();
    }
    long id = version.previousId();
    while (id != 0) {
      HistoryRow row = needed(reader, version.key(), id, revision);
      if (row.revision() <= revision) {
        return row.entry();
      }
      id = row.previousId;
    }
    return null;
  }

  private HistoryRow needed(HistoryReader reader, String key, long id, long asked)
      throws SQLException {
    HistoryRow row = reader.row(id);
    if (row != null && row.key.equals(key)) {
      return row;
    }
    checkCompacted(asked);
    throw StoreCorruption.in(
        file, key + " at revision " + HistoryRow.revisionOf(id) + " is missing");
  }

  private void checkCompacted(long asked) {
    long now = compacted.getAsLong();
    if (asked < now) {
      throw new CompactedException(asked, now);
    }
  }

  @Override
  public Batch read(String prefix, long after, long upTo) {
    checkCompacted(after);
    // The first revision of a new store has no changes.
    long from = Math.max(after, StateRow.EMPTY.revision());
    Batch batch =
        upTo <= from
            ? new Batch(List.of(), upTo)
            : readers.use(reader -> read(reader, prefix, from, upTo));
    checkCompacted(after);
    return batch;
  }

  /// Collects whole commits and checks that none is missing between the first and the last.
  private Batch read(HistoryReader reader, String prefix, long after, long upTo)
      throws SQLException {
    List<KeyChange> changes = new ArrayList<>();
    long[] bytes = new long[1];
    long[] expected = {HistoryRow.firstId(after + 1)};
    long[] through = {after};
    reader.between(
        HistoryRow.firstId(after + 1),
        HistoryRow.lastId(upTo),
        row -> {
          if (row.id != expected[0] || row.ordinal() >= row.changes) {
            throw gap(after, expected[0]);
          }
          if (row.key.startsWith(prefix)) {
            StoreEntry previous =
                row.previousId == 0 ? null : needed(reader, row.key, row.previousId, after).entry();
            changes.add(new KeyChange(row.key, row.revision(), row.entry(), previous));
            bytes[0] += row.value == null ? 64 : row.value.length;
          }
          if (row.ordinal() + 1 < row.changes) {
            expected[0]++;
            return true;
          }
          expected[0] = HistoryRow.firstId(row.revision() + 1);
          through[0] = row.revision();
          return bytes[0] < BATCH_BYTES && changes.size() < BATCH_CHANGES;
        });
    boolean whole =
        through[0] == upTo || bytes[0] >= BATCH_BYTES || changes.size() >= BATCH_CHANGES;
    if (!whole || HistoryRow.revisionOf(expected[0]) != through[0] + 1) {
      throw gap(after, expected[0]);
    }
    return new Batch(changes, through[0]);
  }

  private RuntimeException gap(long after, long missingId) {
    checkCompacted(after);
    return StoreCorruption.in(
        file,
        "the change of revision " + HistoryRow.revisionOf(missingId) + " is missing from history");
  }
}
