package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/// Writes a copy of a store into one file.
final class Backup {
  private Backup() {}

  /// Copies what the connection sees. The file appears under its name only when it is whole and
  /// durable.
  static Path write(Connection connection, Path target) throws SQLException {
    Path file = target.toAbsolutePath();
    Path part = file.resolveSibling(file.getFileName() + ".part");
    if (Files.exists(file)) {
      throw new StoreException(
          "cannot write the backup: " + file + " exists. Choose another name or remove it", null);
    }
    try {
      Files.deleteIfExists(part);
      try (PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
        copy.setString(1, part.toString());
        copy.execute();
      }
      try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      return file;
    } catch (IOException e) {
      throw new StoreException("cannot write the backup " + file + ": " + e, e);
    }
  }
}
