package io.fairlead.store.embedded;

import io.fairlead.store.StoreException;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/// A few reading connections, opened when first needed. Readers see a snapshot and never wait for
/// the writer; when all connections are busy a reader waits for one.
final class ReadConnectionPool implements AutoCloseable {
  private static final int CONNECTIONS = 4;

  private final Database database;
  private final Semaphore permits = new Semaphore(CONNECTIONS);
  private final Queue<HistoryReader> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  ReadConnectionPool(Database database) {
    this.database = database;
  }

  /// Work on a reader's connection.
  @FunctionalInterface
  interface Work<T> {
    T apply(HistoryReader reader) throws SQLException;
  }

  <T> T use(Work<T> work) {
    permits.acquireUninterruptibly();
    try {
      if (closed) {
        throw new StoreException("the store is closed", null);
      }
      HistoryReader reader = idle.poll();
      return run(reader == null ? new HistoryReader(database) : reader, work);
    } catch (SQLException e) {
      throw database.faults().of("cannot read the store's history", e, false);
    } finally {
      permits.release();
    }
  }

  /// A connection that failed is not used again.
  private <T> T run(HistoryReader reader, Work<T> work) throws SQLException {
    try {
      T result = work.apply(reader);
      idle.add(reader);
      return result;
    } catch (SQLException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  /// Waits for readers at work, then closes all connections.
  @Override
  public void close() {
    closed = true;
    permits.acquireUninterruptibly(CONNECTIONS);
    idle.forEach(HistoryReader::close);
    idle.clear();
    permits.release(CONNECTIONS);
  }
}
