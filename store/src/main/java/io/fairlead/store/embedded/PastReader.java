package io.fairlead.store.embedded;

import io.fairlead.store.Change;
import io.fairlead.store.CompactedException;
import io.fairlead.store.Entry;
import io.fairlead.store.Page;
import io.fairlead.store.Range;
import io.fairlead.store.watch.History;
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
final class PastReader implements History {
  private static final long BATCH_BYTES = 4L << 20;
  private static final int BATCH_CHANGES = 2000;

  private final Path file;
  private final Readers readers;
  private final LongSupplier compacted;

  PastReader(Path file, Readers readers, LongSupplier compacted) {
    this.file = file;
    this.readers = readers;
    this.compacted = compacted;
  }

  /// The page of those versions as they were at `range.revision()`. Keys that have not changed
  /// since come from memory; for the others the chain of earlier rows is followed back.
  Page page(List<Version> versions, Range range) {
    Page page = readers.use(reader -> page(reader, versions, range));
    checkCompacted(range.revision());
    return page;
  }

  private Page page(HistoryReader reader, List<Version> versions, Range range) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    long remaining = 0;
    for (Version version : versions) {
      Entry entry = at(reader, version, range.revision());
      if (entry == null) {
        continue;
      }
      if (range.limit() > 0 && entries.size() == range.limit()) {
        remaining++;
      } else {
        entries.add(entry);
      }
    }
    return new Page(List.copyOf(entries), remaining, range.revision());
  }

  private @Nullable Entry at(HistoryReader reader, Version version, long revision)
      throws SQLException {
    if (version.modRevision() <= revision) {
      return version.entry();
    }
    long id = version.previousId();
    while (id != 0) {
      Row row = needed(reader, version.key(), id, revision);
      if (row.revision() <= revision) {
        return row.entry();
      }
      id = row.previousId;
    }
    return null;
  }

  private Row needed(HistoryReader reader, String key, long id, long asked) throws SQLException {
    Row row = reader.row(id);
    if (row != null && row.key.equals(key)) {
      return row;
    }
    checkCompacted(asked);
    throw Damage.in(file, key + " at revision " + Row.revisionOf(id) + " is missing");
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
    long from = Math.max(after, State.EMPTY.revision());
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
    List<Change> changes = new ArrayList<>();
    long[] bytes = new long[1];
    long[] expected = {Row.firstId(after + 1)};
    long[] through = {after};
    reader.between(
        Row.firstId(after + 1),
        Row.lastId(upTo),
        row -> {
          if (row.id != expected[0] || row.ordinal() >= row.changes) {
            throw gap(after, expected[0]);
          }
          if (row.key.startsWith(prefix)) {
            Entry previous =
                row.previousId == 0 ? null : needed(reader, row.key, row.previousId, after).entry();
            changes.add(new Change(row.key, row.revision(), row.entry(), previous));
            bytes[0] += row.value == null ? 64 : row.value.length;
          }
          if (row.ordinal() + 1 < row.changes) {
            expected[0]++;
            return true;
          }
          expected[0] = Row.firstId(row.revision() + 1);
          through[0] = row.revision();
          return bytes[0] < BATCH_BYTES && changes.size() < BATCH_CHANGES;
        });
    boolean whole =
        through[0] == upTo || bytes[0] >= BATCH_BYTES || changes.size() >= BATCH_CHANGES;
    if (!whole || Row.revisionOf(expected[0]) != through[0] + 1) {
      throw gap(after, expected[0]);
    }
    return new Batch(changes, through[0]);
  }

  private RuntimeException gap(long after, long missingId) {
    checkCompacted(after);
    return Damage.in(
        file, "the change of revision " + Row.revisionOf(missingId) + " is missing from history");
  }
}
