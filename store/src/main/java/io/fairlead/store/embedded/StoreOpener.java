package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import io.fairlead.store.engine.Deadlines;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/// The steps of opening a store; what was opened is closed again when a later step fails.
final class StoreOpener {
  private final Path directory;
  private final Database database;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  StoreOpener(Path directory) {
    this.directory = directory.toAbsolutePath();
    this.database = new Database(this.directory);
  }

  EmbeddedStore open(LongSupplier nanoClock) {
    try {
      return load(nanoClock);
    } catch (SQLException e) {
      closeAll(e);
      throw database.faults().of("cannot open the store", e, false);
    } catch (IOException e) {
      closeAll(e);
      throw new StoreException("cannot open the store in " + directory + ": " + e, e);
    } catch (RuntimeException e) {
      closeAll(e);
      throw e;
    }
  }

  private EmbeddedStore load(LongSupplier nanoClock) throws IOException, SQLException {
    makeDirectory();
    DirectoryLock lock = keep(DirectoryLock.take(directory));
    NativeLibrary.prepare(directory);
    Connection connection = keep(database.openForWriting());
    syncDirectory();
    StateRow state = database.state(connection);
    AcknowledgedRevision acknowledged = keep(AcknowledgedRevision.open(directory));
    checkAcknowledged(state, acknowledged);
    KeyIndex index = new KeyIndex();
    Deadlines deadlines = new Deadlines();
    new IndexLoader(database.file(), connection)
        .load(state, index, deadlines, nanoClock.getAsLong());
    WriteTransactions tables = new WriteTransactions(database, connection);
    Checkpointer checkpointer = keep(new Checkpointer(database));
    ReadConnectionPool readers = new ReadConnectionPool(database);
    EmbeddedStore.Components components =
        new EmbeddedStore.Components(
            directory, database, lock, tables, readers, checkpointer, acknowledged);
    return new EmbeddedStore(components, index, deadlines, state, nanoClock);
  }

  private void makeDirectory() throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /// A new file's name must survive a power cut as its content does.
  private void syncDirectory() throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private void checkAcknowledged(StateRow state, AcknowledgedRevision acknowledged)
      throws IOException {
    long noted = acknowledged.read();
    if (state.revision() < noted) {
      throw StoreCorruption.in(
          database.file(),
          "it ends at revision "
              + state.revision()
              + " but revision "
              + noted
              + " was acknowledged; the write-ahead log store.db-wal was cut or changed");
    }
    acknowledged.write(state.revision());
  }

  private <T extends AutoCloseable> T keep(T part) {
    opened.push(part);
    return part;
  }

  private void closeAll(Exception cause) {
    for (AutoCloseable part : opened) {
      try {
        part.close();
      } catch (Exception e) {
        cause.addSuppressed(e);
      }
    }
  }

  /// Closes an open store's components; the lock goes last.
  static void close(EmbeddedStore.Components components) {
    try {
      components.checkpointer().close();
      components.readers().close();
      components.tables().close();
      components.acknowledged().close();
    } catch (IOException e) {
      throw new StoreException("cannot close the store: " + e, e);
    } finally {
      components.lock().close();
    }
  }
}
