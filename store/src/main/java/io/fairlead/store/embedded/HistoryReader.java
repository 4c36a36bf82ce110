package io.fairlead.store.embedded;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Reads history rows through one connection and checks each of them. Used by one thread at a time.
final class HistoryReader implements AutoCloseable {
  static final String COLUMNS = "id,previous,created,ttl,changes,checksum,key,value";

  private final Path file;
  private final Connection connection;
  private final PreparedStatement byId;
  private final PreparedStatement between;

  HistoryReader(Database database) throws SQLException {
    this.file = database.file();
    this.connection = database.openForReading();
    this.byId = connection.prepareStatement("SELECT " + COLUMNS + " FROM history WHERE id=?");
    this.between =
        connection.prepareStatement(
            "SELECT " + COLUMNS + " FROM history WHERE id BETWEEN ? AND ? ORDER BY id");
  }

  Connection connection() {
    return connection;
  }

  /// The row with that id, or null when there is none.
  @Nullable HistoryRow row(long id) throws SQLException {
    byId.setLong(1, id);
    try (ResultSet rows = byId.executeQuery()) {
      return rows.next() ? read(rows, file) : null;
    }
  }

  /// Receives rows in the order of history until it has enough.
  @FunctionalInterface
  interface Visitor {
    /// @return whether to go on
    boolean visit(HistoryRow row) throws SQLException;
  }

  void between(long firstId, long lastId, Visitor visitor) throws SQLException {
    between.setLong(1, firstId);
    between.setLong(2, lastId);
    try (ResultSet rows = between.executeQuery()) {
      while (rows.next()) {
        if (!visitor.visit(read(rows, file))) {
          return;
        }
      }
    }
  }

  /// The row under the cursor, its checksum compared.
  static HistoryRow read(ResultSet rows, Path file) throws SQLException {
    long id = rows.getLong(1);
    String key = rows.getString(7);
    HistoryRow row =
        new HistoryRow(
            id,
            rows.getLong(2),
            rows.getLong(3),
            rows.getLong(4),
            rows.getInt(5),
            key == null ? "" : key,
            rows.getBytes(8));
    if (row.checksum() != rows.getLong(6)) {
      throw StoreCorruption.in(
          file, "the checksum of " + row.key + " at revision " + row.revision() + " is wrong");
    }
    return row;
  }

  @Override
  public void close() {
    Database.close(connection, null);
  }
}
