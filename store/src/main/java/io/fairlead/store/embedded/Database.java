package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;

/// Opens connections to a store's database file and knows its tables.
///
/// Tables: `history` has a row per change, in the order of revisions; `state` has one row that sums
/// up the rest. Nothing else is kept on the disk: which row is the newest of a key is found by
/// reading history once at start, so a commit only ever appends, and touches few pages.
final class Database {
  static final int FORMAT = 2;

  /// Had a table of the newest rows beside history.
  private static final int FORMAT_WITH_CURRENT = 1;

  private static final String SCHEMA =
      """
      CREATE TABLE history(
        id INTEGER PRIMARY KEY, previous INTEGER NOT NULL, created INTEGER NOT NULL,
        ttl INTEGER NOT NULL, changes INTEGER NOT NULL, checksum INTEGER NOT NULL,
        key TEXT NOT NULL, value BLOB) STRICT;
      CREATE TABLE state(
        one INTEGER PRIMARY KEY, revision INTEGER NOT NULL, compacted INTEGER NOT NULL,
        cleaned INTEGER NOT NULL, keys INTEGER NOT NULL, sum INTEGER NOT NULL,
        checksum INTEGER NOT NULL) STRICT;
      """;

  private final Path file;
  private final SqliteErrors faults;

  Database(Path directory) {
    this.file = file(directory);
    this.faults = new SqliteErrors(file);
  }

  static Path file(Path directory) {
    return directory.resolve("store.db");
  }

  Path file() {
    return file;
  }

  SqliteErrors faults() {
    return faults;
  }

  /// The connection of the writer; makes the tables in a new file and brings an older one up to
  /// date.
  Connection openForWriting() throws SQLException {
    Connection connection = connect(false);
    try (Statement statement = connection.createStatement()) {
      // Settings that shape the file come before anything is written to it.
      statement.execute("PRAGMA auto_vacuum=INCREMENTAL");
      statement.execute("PRAGMA journal_mode=WAL");
      statement.execute("PRAGMA synchronous=FULL");
      statement.execute("PRAGMA wal_autocheckpoint=0");
      statement.execute("PRAGMA cell_size_check=ON");
      int format = number(statement, "PRAGMA user_version");
      if (format == 0 && number(statement, "SELECT count(*) FROM sqlite_schema") == 0) {
        create(connection, statement);
      } else if (format == FORMAT_WITH_CURRENT) {
        upgrade(connection, statement);
      } else if (format != FORMAT) {
        throw new StoreException(
            file
                + " has format "
                + format
                + ", this version reads format "
                + FORMAT
                + ". Use the version that wrote it",
            null);
      }
      return connection;
    } catch (SQLException | RuntimeException e) {
      close(connection, e);
      throw e;
    }
  }

  private static void create(Connection connection, Statement statement) throws SQLException {
    connection.setAutoCommit(false);
    for (String each : SCHEMA.split(";\\s*")) {
      if (!each.isBlank()) {
        statement.execute(each);
      }
    }
    statement.execute("INSERT INTO state VALUES(1,0,0,0,0,0,0)");
    try (PreparedStatement update = connection.prepareStatement(UPDATE_STATE)) {
      updateState(update, StateRow.EMPTY);
    }
    statement.execute("PRAGMA user_version=" + FORMAT);
    connection.setAutoCommit(true); // commits
  }

  private static void upgrade(Connection connection, Statement statement) throws SQLException {
    connection.setAutoCommit(false);
    statement.execute("DROP TABLE current");
    statement.execute("PRAGMA user_version=" + FORMAT);
    connection.setAutoCommit(true); // commits
  }

  /// A connection that only reads.
  Connection openForReading() throws SQLException {
    Connection connection = connect(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA cell_size_check=ON");
      return connection;
    } catch (SQLException e) {
      close(connection, e);
      throw e;
    }
  }

  /// A connection for copying the log into the file; it writes no rows.
  Connection openForCheckpoints() throws SQLException {
    Connection connection = connect(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA synchronous=FULL");
      statement.execute("PRAGMA wal_autocheckpoint=0");
      return connection;
    } catch (SQLException e) {
      close(connection, e);
      throw e;
    }
  }

  private Connection connect(boolean readOnly) throws SQLException {
    Properties settings = new Properties();
    // Waiting is a belt: by construction one thread writes and readers never lock.
    settings.setProperty("busy_timeout", "10000");
    // Else the driver asks for the last row id after every insert, with a statement of its own.
    settings.setProperty("jdbc.get_generated_keys", "false");
    if (readOnly) {
      settings.setProperty("open_mode", "1"); // SQLITE_OPEN_READONLY
    }
    return JDBC.createConnection("jdbc:sqlite:" + file, settings);
  }

  static final String UPDATE_STATE =
      "UPDATE state SET revision=?,compacted=?,cleaned=?,keys=?,sum=?,checksum=? WHERE one=1";

  static void updateState(PreparedStatement update, StateRow state) throws SQLException {
    update.setLong(1, state.revision());
    update.setLong(2, state.compacted());
    update.setLong(3, state.cleanedId());
    update.setLong(4, state.keys());
    update.setLong(5, state.sum());
    update.setLong(6, state.checksum());
    if (update.executeUpdate() != 1) {
      throw new SQLException("the state row is missing");
    }
  }

  /// Reads the summary row.
  StateRow state(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT revision,compacted,cleaned,keys,sum,checksum FROM state WHERE one=1")) {
      if (!rows.next()) {
        throw StoreCorruption.in(file, "the row that sums up the store is missing");
      }
      StateRow state =
          new StateRow(
              rows.getLong(1), rows.getLong(2), rows.getLong(3), rows.getLong(4), rows.getLong(5));
      if (state.checksum() != rows.getLong(6)) {
        throw StoreCorruption.in(file, "the checksum of the row that sums up the store is wrong");
      }
      return state;
    }
  }

  static int number(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getInt(1) : 0;
    }
  }

  static void close(@Nullable Connection connection, @Nullable Throwable cause) {
    if (connection == null) {
      return;
    }
    try {
      connection.close();
    } catch (SQLException e) {
      if (cause != null) {
        cause.addSuppressed(e);
      }
    }
  }
}
