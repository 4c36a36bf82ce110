package io.fairlead.store.embedded;

import io.fairlead.store.Range;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.engine.Deadlines;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What an operator does with the files of a store: look whether they are sound, print them, bring
/// back a backup.
public final class StoreFiles {
  /// How far a restored store's revision jumps, so that no client holds one that means something
  /// else now.
  static final long JUMP = 1_000_000;

  private StoreFiles() {}

  /// Reads every row and every page of the store in that directory, also while a server uses it.
  ///
  /// @return what is wrong, one line each; empty when the store is sound
  /// @throws StoreException when there is none
  public static List<String> check(Path directory) {
    Database database = existing(directory);
    List<String> problems = new ArrayList<>();
    try (HistoryReader reader = new HistoryReader(database)) {
      // One transaction, so that a running server changes nothing meanwhile.
      reader.connection().setAutoCommit(false);
      checkPages(reader.connection(), problems);
      StateRow state = database.state(reader.connection());
      new IndexLoader(database.file(), reader.connection())
          .load(state, new KeyIndex(), new Deadlines(), 0);
      checkHistory(database, reader, state);
    } catch (SQLException e) {
      problems.add(database.faults().of("cannot read the store", e, false).getMessage());
    } catch (StoreException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    return problems;
  }

  /// Leaves a directory without a store as it is.
  private static Database existing(Path directory) {
    Path home = directory.toAbsolutePath();
    if (!Files.exists(Database.file(home))) {
      throw new StoreException("there is no store in " + directory, null);
    }
    NativeLibrary.prepare(directory);
    return new Database(home);
  }

  private static void checkPages(Connection connection, List<String> problems) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA integrity_check")) {
      while (rows.next()) {
        if (!"ok".equals(rows.getString(1))) {
          problems.add(rows.getString(1));
        }
      }
    }
  }

  /// Every row's checksum, and that no commit above the compacted revision is missing.
  private static void checkHistory(Database database, HistoryReader reader, StateRow state)
      throws SQLException {
    long begin = Math.max(state.compacted(), StateRow.EMPTY.revision());
    long[] expected = {HistoryRow.firstId(begin + 1)};
    reader.between(
        0,
        Long.MAX_VALUE,
        row -> {
          if (row.revision() > begin) {
            if (row.id != expected[0]) {
              throw StoreCorruption.in(
                  database.file(),
                  "the change of revision " + HistoryRow.revisionOf(expected[0]) + " is missing");
            }
            boolean last = row.ordinal() + 1 == row.changes;
            expected[0] = last ? HistoryRow.firstId(row.revision() + 1) : row.id + 1;
          }
          return true;
        });
  }

  /// Hands every current entry to the receiver, in key order.
  ///
  /// @throws StoreException when there is no store or it is damaged
  public static void dump(Path directory, Consumer<StoreEntry> receiver) {
    Database database = existing(directory);
    try (HistoryReader reader = new HistoryReader(database)) {
      // One transaction, so that a running server changes nothing meanwhile.
      reader.connection().setAutoCommit(false);
      StateRow state = database.state(reader.connection());
      KeyIndex index = new KeyIndex();
      new IndexLoader(database.file(), reader.connection()).load(state, index, new Deadlines(), 0);
      for (KeyVersion version : index.snapshot(new Range("", "", 0, 0)).versions()) {
        if (version.entry() != null) {
          receiver.accept(version.entry());
        }
      }
    } catch (SQLException e) {
      throw database.faults().of("cannot read the store", e, false);
    }
  }

  /// Copies the store into one file, also while a server uses it: the copy is of one moment.
  ///
  /// @return the file
  /// @throws StoreException when there is no store, or the file exists
  public static Path backup(Path directory, Path target) {
    Database database = existing(directory);
    try (HistoryReader reader = new HistoryReader(database)) {
      return Backup.write(reader.connection(), target);
    } catch (SQLException e) {
      throw database.faults().of("cannot write the backup", e, false);
    }
  }

  /// Makes a store from a backup in a directory that has none. Its revision is far above the
  /// backup's and its history counts as compacted: clients that saw newer revisions read again
  /// instead of mistaking one for another.
  ///
  /// @return the revision it continues from
  public static long restore(Path backup, Path directory) {
    Path home = directory.toAbsolutePath();
    Path file = Database.file(home);
    if (Files.exists(file)) {
      throw new StoreException(
          home + " holds a store already. Move it away first: mv " + home + " " + home + ".old",
          null);
    }
    try {
      Files.createDirectories(home);
      try (DirectoryLock _ = DirectoryLock.take(home)) {
        Files.copy(backup, file);
        sync(file);
        sync(home);
        List<String> problems = check(home);
        if (!problems.isEmpty()) {
          Files.delete(file);
          throw new StoreException("the backup " + backup + " is damaged: " + problems, null);
        }
        return jump(new Database(home));
      }
    } catch (IOException e) {
      throw new StoreException("cannot restore " + backup + " to " + home + ": " + e, e);
    }
  }

  private static long jump(Database database) {
    try (Connection connection = database.openForWriting()) {
      StateRow state = database.state(connection);
      long revision = state.revision() + JUMP;
      try (PreparedStatement update = connection.prepareStatement(Database.UPDATE_STATE)) {
        Database.updateState(update, state.withRevision(revision).withCompacted(revision));
      }
      return revision;
    } catch (SQLException e) {
      throw database.faults().of("cannot restore the store", e, false);
    }
  }

  private static void sync(Path path) throws IOException {
    StandardOpenOption how =
        Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }
}
