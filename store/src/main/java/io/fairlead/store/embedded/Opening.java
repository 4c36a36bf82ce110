package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import io.fairlead.store.expiry.Deadlines;
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
final class Opening {
  private final Path directory;
  private final Database database;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  Opening(Path directory) {
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
    State state = database.state(connection);
    Acknowledged acknowledged = keep(Acknowledged.open(directory));
    checkAcknowledged(state, acknowledged);
    Index index = new Index();
    Deadlines deadlines = new Deadlines();
    new Loader(database.file(), connection).load(state, index, deadlines, nanoClock.getAsLong());
    Tables tables = new Tables(database, connection);
    Checkpointer checkpointer = keep(new Checkpointer(database));
    Readers readers = new Readers(database);
    EmbeddedStore.Parts parts =
        new EmbeddedStore.Parts(
            directory, database, lock, tables, readers, checkpointer, acknowledged);
    return new EmbeddedStore(parts, index, deadlines, state, nanoClock);
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

  private void checkAcknowledged(State state, Acknowledged acknowledged) throws IOException {
    long noted = acknowledged.read();
    if (state.revision() < noted) {
      throw Damage.in(
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

  /// Closes an open store's parts; the lock goes last.
  static void close(EmbeddedStore.Parts parts) {
    try {
      parts.checkpointer().close();
      parts.readers().close();
      parts.tables().close();
      parts.acknowledged().close();
    } catch (IOException e) {
      throw new StoreException("cannot close the store: " + e, e);
    } finally {
      parts.lock().close();
    }
  }
}
