package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// The writer's statements. Used by the writer thread only; each method is one transaction.
final class Tables implements AutoCloseable {
  private final Path file;
  private final Connection connection;
  private final PreparedStatement insertHistory;
  private final PreparedStatement upsertCurrent;
  private final PreparedStatement updateState;
  private final PreparedStatement deleteHistory;
  private final PreparedStatement deleteCurrent;
  private final PreparedStatement selectSteps;

  Tables(Path file, Connection connection) throws SQLException {
    this.file = file;
    this.connection = connection;
    insertHistory = connection.prepareStatement("INSERT INTO history VALUES(?,?,?,?,?,?,?,?)");
    upsertCurrent =
        connection.prepareStatement(
            "INSERT INTO current VALUES(?,?) ON CONFLICT(key) DO UPDATE SET id=excluded.id");
    updateState = connection.prepareStatement(Database.UPDATE_STATE);
    deleteHistory = connection.prepareStatement("DELETE FROM history WHERE id=?");
    deleteCurrent = connection.prepareStatement("DELETE FROM current WHERE key=? AND id=?");
    selectSteps =
        connection.prepareStatement(
            "SELECT id,previous,created,ttl,changes,checksum,key,value FROM history"
                + " WHERE id>? AND id<=? ORDER BY id LIMIT ?");
  }

  /// A transaction that failed.
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient SQLException reason;
    private final boolean outcomeUnknown;

    FailedException(SQLException reason, boolean outcomeUnknown) {
      super(reason);
      this.reason = reason;
      this.outcomeUnknown = outcomeUnknown;
    }

    SQLException reason() {
      return reason;
    }

    /// Whether the transaction may stand after a restart: the last step, the sync, failed.
    boolean outcomeUnknown() {
      return outcomeUnknown;
    }
  }

  private interface Steps {
    void run() throws SQLException;
  }

  private void transaction(Steps steps) throws FailedException {
    boolean committing = false;
    try {
      steps.run();
      committing = true;
      connection.commit();
    } catch (SQLException e) {
      rollBack(e);
      boolean unknown = committing && Faults.kind(e) == Faults.Kind.DISK_ERROR;
      throw new FailedException(e, unknown);
    } catch (RuntimeException e) {
      rollBack(e);
      throw e;
    }
  }

  private void rollBack(Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e); // SQLite has rolled back by itself
    }
  }

  /// Makes a group of commits durable.
  void write(Batch batch, State state) throws FailedException {
    transaction(
        () -> {
          for (Row row : batch.rows()) {
            insertHistory.setLong(1, row.id);
            insertHistory.setLong(2, row.previousId);
            insertHistory.setLong(3, row.createRevision);
            insertHistory.setLong(4, row.ttlSeconds);
            insertHistory.setInt(5, row.changes);
            insertHistory.setLong(6, row.checksum());
            insertHistory.setString(7, row.key);
            insertHistory.setBytes(8, row.value);
            insertHistory.executeUpdate();
          }
          for (Version version : batch.newest()) {
            upsertCurrent.setString(1, version.key());
            upsertCurrent.setLong(2, version.id());
            upsertCurrent.executeUpdate();
          }
          Database.updateState(updateState, state);
        });
  }

  void write(State state) throws FailedException {
    transaction(() -> Database.updateState(updateState, state));
  }

  /// The next changes to look at, oldest first, each checked.
  List<Row> rows(long afterId, long lastId, int limit) throws FailedException {
    List<Row> found = new ArrayList<>();
    transaction(
        () -> {
          selectSteps.setLong(1, afterId);
          selectSteps.setLong(2, lastId);
          selectSteps.setInt(3, limit);
          try (ResultSet rows = selectSteps.executeQuery()) {
            while (rows.next()) {
              found.add(HistoryReader.read(rows, file));
            }
          }
        });
    return found;
  }

  /// Deletes history rows and forgotten tombstones.
  void clean(List<Long> historyIds, List<Version> tombstones, State state) throws FailedException {
    transaction(
        () -> {
          for (long id : historyIds) {
            deleteHistory.setLong(1, id);
            deleteHistory.executeUpdate();
          }
          for (Version tombstone : tombstones) {
            deleteCurrent.setString(1, tombstone.key());
            deleteCurrent.setLong(2, tombstone.id());
            deleteCurrent.executeUpdate();
          }
          Database.updateState(updateState, state);
        });
  }

  /// Gives free pages at the end of the file back to the disk, a few at a time.
  ///
  /// @return whether there are more to give back
  boolean shrink(int keepPages, int atMost) throws FailedException {
    long[] free = new long[1];
    transaction(
        () -> {
          try (Statement statement = connection.createStatement()) {
            free[0] = Database.number(statement, "PRAGMA freelist_count");
            long pages = Database.number(statement, "PRAGMA page_count");
            free[0] -= Math.max(keepPages, pages / 4);
            if (free[0] > 0) {
              long give = Math.min(free[0], atMost);
              try (ResultSet rows =
                  statement.executeQuery("PRAGMA incremental_vacuum(" + give + ")")) {
                while (rows.next()) {
                  free[0]--;
                }
              }
            }
          }
        });
    return free[0] > 0;
  }

  /// Copies what is left of the write-ahead log into the file.
  Checkpointer.Progress checkpoint() throws SQLException {
    connection.setAutoCommit(true);
    try {
      return Checkpointer.passive(connection);
    } finally {
      connection.setAutoCommit(false);
    }
  }

  @Override
  public void close() {
    try {
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw new StoreException("cannot close the store: " + e.getMessage(), e);
    } finally {
      Database.close(connection, null);
    }
  }
}
