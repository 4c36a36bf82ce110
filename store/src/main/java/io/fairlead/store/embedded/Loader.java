package io.fairlead.store.embedded;

import io.fairlead.store.expiry.Deadlines;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// Reads the newest version of every key into memory at start and proves that none is missing,
/// foreign or changed.
final class Loader {
  private static final int CHUNK = 4096;
  private final Path file;
  private final Connection connection;

  Loader(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /// Fills the index and the deadlines. Times to live begin anew at `nowNanos`: how much had passed
  /// before is not known on a monotonic clock.
  void load(State state, Index index, Deadlines deadlines, long nowNanos) throws SQLException {
    State seen = new State(state.revision(), state.compacted(), state.cleanedId(), 0, 0);
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT h.id,h.previous,h.created,h.ttl,h.changes,h.checksum,h.key,h.value,c.key,c.id"
                    + " FROM current c LEFT JOIN history h ON h.id=c.id ORDER BY c.key")) {
      List<Version> chunk = new ArrayList<>();
      while (rows.next()) {
        Row row = row(rows, state);
        Version version = Version.of(row);
        seen = seen.plus(version);
        deadlines.written(row.key, row.revision(), row.ttlSeconds, nowNanos);
        chunk.add(version);
        if (chunk.size() == CHUNK) {
          index.apply(state.revision(), chunk);
          chunk.clear();
        }
      }
      index.apply(state.revision(), chunk);
    }
    if (!seen.equals(state)) {
      throw Damage.in(
          file,
          "the table of current keys has "
              + seen.keys()
              + " rows where "
              + state.keys()
              + " were written, or rows were changed");
    }
    checkEnd(state);
  }

  private Row row(ResultSet rows, State state) throws SQLException {
    String key = rows.getString(9);
    long id = rows.getLong(10);
    if (rows.getLong(1) != id || id == 0) {
      throw Damage.in(
          file, "the value of " + key + " at revision " + Row.revisionOf(id) + " is missing");
    }
    Row row = HistoryReader.read(rows, file);
    if (!row.key.equals(key) || row.revision() > state.revision()) {
      throw Damage.in(
          file, "the entry of " + key + " points to " + row.key + " at revision " + row.revision());
    }
    return row;
  }

  /// History must reach up to the newest revision, unless all of it is forgotten.
  private void checkEnd(State state) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT max(id) FROM history")) {
      long last = rows.next() ? Row.revisionOf(rows.getLong(1)) : 0;
      boolean ends = last == state.revision() || state.compacted() >= state.revision();
      if (last > state.revision() || (!ends && state.revision() > 1)) {
        throw Damage.in(
            file, "history ends at revision " + last + ", it should at " + state.revision());
      }
    }
  }
}
