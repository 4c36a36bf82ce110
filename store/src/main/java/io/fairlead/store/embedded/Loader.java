package io.fairlead.store.embedded;

import io.fairlead.store.expiry.Deadlines;
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
final class Loader {
  private final Path file;
  private final Connection connection;

  Loader(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /// Fills the index and the deadlines. Times to live begin anew at `nowNanos`: how much had passed
  /// before is not known on a monotonic clock.
  void load(State state, Index index, Deadlines deadlines, long nowNanos) throws SQLException {
    Map<String, Version> newest = new LinkedHashMap<>();
    long last = read(newest, deadlines, nowNanos);
    State seen = new State(state.revision(), state.compacted(), state.cleanedId(), 0, 0);
    for (Version version : newest.values()) {
      seen = seen.plus(version);
    }
    // History must reach up to the newest revision, unless all of it is forgotten.
    boolean ends = last == state.revision() || state.compacted() >= state.revision();
    if (last > state.revision() || (!ends && state.revision() > 1)) {
      throw Damage.in(
          file, "history ends at revision " + last + ", it should at " + state.revision());
    }
    if (!seen.equals(state)) {
      throw Damage.in(
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
  private long read(Map<String, Version> newest, Deadlines deadlines, long nowNanos)
      throws SQLException {
    long last = 0;
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT " + HistoryReader.COLUMNS + " FROM history ORDER BY id")) {
      while (rows.next()) {
        Row row = HistoryReader.read(rows, file);
        newest.put(row.key, Version.of(row));
        deadlines.written(row.key, row.revision(), row.ttlSeconds, nowNanos);
        last = row.revision();
      }
    }
    return last;
  }
}
