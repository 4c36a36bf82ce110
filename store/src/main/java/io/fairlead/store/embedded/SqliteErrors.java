package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Words what SQLite reports so that an operator knows what happened, where, and what to do.
final class SqliteErrors {
  private final Path file;

  SqliteErrors(Path file) {
    this.file = file;
  }

  /// What kind of trouble an error is.
  enum Kind {
    DISK_FULL,
    DISK_ERROR,
    DAMAGE,
    NO_ACCESS,
    OTHER
  }

  static Kind kind(SQLException e) {
    if (!(e instanceof SQLiteException sqlite)) {
      return Kind.OTHER;
    }
    SQLiteErrorCode code = sqlite.getResultCode();
    return switch (code.code & 0xff) {
      case 13 -> Kind.DISK_FULL; // SQLITE_FULL
      case 10 -> Kind.DISK_ERROR; // SQLITE_IOERR
      case 11, 26 -> Kind.DAMAGE; // SQLITE_CORRUPT, SQLITE_NOTADB
      case 1 -> Kind.DAMAGE; // SQLITE_ERROR: our statements are fixed, so the schema is not ours
      case 3, 8, 14, 23 -> Kind.NO_ACCESS; // SQLITE_PERM, READONLY, CANTOPEN, AUTH
      default -> Kind.OTHER;
    };
  }

  /// Translates a failure of `what` ("cannot write to the store").
  ///
  /// @param outcomeUnknown whether a commit may stand although it failed
  StoreException of(String what, SQLException e, boolean outcomeUnknown) {
    String why =
        switch (kind(e)) {
          case DISK_FULL ->
              "the disk that holds "
                  + file
                  + " is full. Free some space; writes go on by themselves, reads and watches have not stopped";
          case DISK_ERROR ->
              "the disk that holds "
                  + file
                  + " answers with an error ("
                  + e.getMessage()
                  + "). Look at the kernel's log (dmesg); writes go on by themselves when the disk does";
          case DAMAGE -> file + " is damaged (" + e.getMessage() + "). " + StoreCorruption.REMEDY;
          case NO_ACCESS ->
              file
                  + " cannot be opened or written ("
                  + e.getMessage()
                  + "). Check the owner and mode of the directory and that the disk is mounted for writing";
          case OTHER -> file + ": " + e.getMessage();
        };
    return new StoreException(what + ": " + why, e, outcomeUnknown);
  }
}
