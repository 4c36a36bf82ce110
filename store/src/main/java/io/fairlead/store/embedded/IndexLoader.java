package io.fairlead.store.embedded;

import io.fairlead.store.engine.Deadlines;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the newest version of every key into memory at start and proves that none is missing,
/// foreign or changed.
///
/// How it works: history is read once in its own order, which is the order on the disk; a later row
/// of a key takes the place of an earlier one. What is read for nothing are the changes since the
/// last compaction, so the time is bounded by the number of keys and a few minutes of writes.
final class IndexLoader {
  private final Path file;
  private final Connection connection;

  IndexLoader(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /// Fills the index and the deadlines. Times to live start again at `nowNanos`: how much had
  /// passed before is not known on a monotonic clock.
  void load(StateRow state, KeyIndex index, Deadlines deadlines, long nowNanos)
      throws SQLException {
    Map<String, KeyVersion> newest = new LinkedHashMap<>();
    long last = read(newest, deadlines, nowNanos);
    StateRow seen = new StateRow(state.revision(), state.compacted(), state.cleanedId(), 0, 0);
    for (KeyVersion version : newest.values()) {
      seen = seen.plus(version);
    }
    // History must reach up to the newest revision, unless all of it is forgotten.
    boolean ends = last == state.revision() || state.compacted() >= state.revision();
    if (last > state.revision() || (!ends && state.revision() > 1)) {
      throw StoreCorruption.in(
          file, "history ends at revision " + last + ", it should at " + state.revision());
    }
    if (!seen.equals(state)) {
      throw StoreCorruption.in(
          file,
          "history has "
              + seen.keys()
              + " keys where "
              + state.keys()
              + " were written, or rows of it are missing");
    }
    index.apply(state.revision(), List.copyOf(newest.values()));
  }

  /// The revision of the last row, 0 when there is none.
  private long read(Map<String, KeyVersion> newest, Deadlines deadlines, long nowNanos)
      throws SQLException {
    long last = 0;
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT " + HistoryReader.COLUMNS + " FROM history ORDER BY id")) {
      while (rows.next()) {
        HistoryRow row = HistoryReader.read(rows, file);
        newest.put(row.key, KeyVersion.of(row));
        deadlines.written(row.key, row.revision(), row.ttlSeconds, nowNanos);
        last = row.revision();
      }
    }
    return last;
  }
}
