package io.fairlead.store.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The writer's transactions. Used by the writer thread only; each method is one transaction.
///
/// After a failure the connection is given up and the next transaction opens a new one: SQLite may
/// have ended the transaction by itself, and a fresh connection begins with what is durable.
final class WriteTransactions implements AutoCloseable {
  private final Database database;
  private @Nullable Session session;

  WriteTransactions(Database database, Connection connection) throws SQLException {
    this.database = database;
    this.session = new Session(connection);
  }

  /// A connection with its statements.
  private static final class Session {
    final Connection connection;
    // Prepared once; the driver would parse them for every transaction.
    final PreparedStatement begin;
    final PreparedStatement commit;
    final PreparedStatement insertHistory;
    final PreparedStatement updateState;
    final PreparedStatement deleteHistory;
    final PreparedStatement selectRows;

    Session(Connection connection) throws SQLException {
      this.connection = connection;
      begin = connection.prepareStatement("BEGIN");
      commit = connection.prepareStatement("COMMIT");
      insertHistory = connection.prepareStatement("INSERT INTO history VALUES(?,?,?,?,?,?,?,?)");
      updateState = connection.prepareStatement(Database.UPDATE_STATE);
      deleteHistory = connection.prepareStatement("DELETE FROM history WHERE id=?");
      selectRows =
          connection.prepareStatement(
              "SELECT id,previous,created,ttl,changes,checksum,key,value FROM history"
                  + " WHERE id>? AND id<=? ORDER BY id LIMIT ?");
    }
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
    void run(Session session) throws SQLException;
  }

  private void transaction(Steps steps) throws FailedException {
    boolean committing = false;
    try {
      Session open = session();
      open.begin.execute();
      steps.run(open);
      committing = true;
      open.commit.execute();
    } catch (SQLException e) {
      giveUp(e);
      boolean unknown = committing && SqliteErrors.kind(e) == SqliteErrors.Kind.DISK_ERROR;
      throw new FailedException(e, unknown);
    } catch (RuntimeException e) {
      giveUp(e);
      throw e;
    }
  }

  private Session session() throws SQLException {
    if (session == null) {
      session = new Session(database.openForWriting());
    }
    return session;
  }

  private void giveUp(Exception cause) {
    if (session != null) {
      Database.close(session.connection, cause);
      session = null;
    }
  }

  /// Makes a group of commits durable.
  void write(CommitGroup batch, StateRow state) throws FailedException {
    transaction(
        open -> {
          for (HistoryRow row : batch.rows()) {
            open.insertHistory.setLong(1, row.id);
            open.insertHistory.setLong(2, row.previousId);
            open.insertHistory.setLong(3, row.createRevision);
            open.insertHistory.setLong(4, row.ttlSeconds);
            open.insertHistory.setInt(5, row.changes);
            open.insertHistory.setLong(6, row.checksum());
            open.insertHistory.setString(7, row.key);
            open.insertHistory.setBytes(8, row.value);
            open.insertHistory.executeUpdate();
          }
          Database.updateState(open.updateState, state);
        });
  }

  void write(StateRow state) throws FailedException {
    transaction(open -> Database.updateState(open.updateState, state));
  }

  /// The next changes to look at, oldest first, each checked.
  List<HistoryRow> rows(long afterId, long lastId, int limit) throws FailedException {
    List<HistoryRow> found = new ArrayList<>();
    transaction(
        open -> {
          open.selectRows.setLong(1, afterId);
          open.selectRows.setLong(2, lastId);
          open.selectRows.setInt(3, limit);
          try (ResultSet rows = open.selectRows.executeQuery()) {
            while (rows.next()) {
              found.add(HistoryReader.read(rows, database.file()));
            }
          }
        });
    return found;
  }

  /// Deletes history rows.
  void clean(List<Long> historyIds, StateRow state) throws FailedException {
    transaction(
        open -> {
          for (long id : historyIds) {
            open.deleteHistory.setLong(1, id);
            open.deleteHistory.executeUpdate();
          }
          Database.updateState(open.updateState, state);
        });
  }

  /// Gives free pages at the end of the file back to the disk, a few at a time.
  ///
  /// @return whether there are more to give back
  boolean shrink(int keepPages, int atMost) throws FailedException {
    long[] free = new long[1];
    transaction(
        open -> {
          try (Statement statement = open.connection.createStatement()) {
            long pages = Database.number(statement, "PRAGMA page_count");
            long keep = Math.max(keepPages, pages / 4);
            free[0] = Database.number(statement, "PRAGMA freelist_count") - keep;
            if (free[0] > 0) {
              // As an update, because only that runs the statement to its end.
              statement.executeUpdate(
                  "PRAGMA incremental_vacuum(" + Math.min(free[0], atMost) + ")");
              free[0] = Database.number(statement, "PRAGMA freelist_count") - keep;
            }
          }
        });
    return free[0] > 0;
  }

  /// Copies what is left of the write-ahead log into the file.
  Checkpointer.Progress checkpoint() throws SQLException {
    Session open = session();
    try {
      return Checkpointer.passive(open.connection);
    } catch (SQLException e) {
      giveUp(e);
      throw e;
    }
  }

  @Override
  public void close() {
    if (session != null) {
      Database.close(session.connection, null);
      session = null;
    }
  }
}
