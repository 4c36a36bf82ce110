package io.fairlead.store.embedded;

import io.fairlead.store.engine.Latches;
import io.fairlead.work.SupervisedLoop;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Keeps the write-ahead log short without stopping the writer.
///
/// How it works: when a few megabytes have been written, the loop `store-checkpoint` copies them
/// into the database file beside the running writer. What was written meanwhile is little; the
/// writer copies that rest between two groups of commits, and SQLite then starts the log from its
/// beginning. A copy that fails leaves everything to the writer.
final class Checkpointer implements AutoCloseable {
  /// The kind of its loop.
  static final String LOOP = "store-checkpoint";

  private static final Duration CLOSE_WITHIN = Duration.ofMinutes(5);
  private static final long START_BYTES = 4L << 20;

  /// Beyond this the writer waits for no other thread: it copies everything itself.
  private static final long OVERDUE_BYTES = 64L << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Connection connection;
  private final SupervisedLoop loop;
  private final CountDownLatch ended = new CountDownLatch(1);
  private long bytes;
  private boolean copying;
  private boolean restLeft;
  private boolean closed;

  /// How far the log has been copied.
  ///
  /// @param frames in the log
  /// @param copied of them in the file
  record Progress(long frames, long copied) {}

  Checkpointer(Database database) throws SQLException {
    this.connection = database.openForCheckpoints();
    this.loop =
        SupervisedLoop.of(LOOP)
            .platform()
            .stopBy(this::stop)
            .stopWithin(CLOSE_WITHIN)
            .build(this::copyNext);
    loop.start();
  }

  /// Copies as much as can be copied without making a reader or the writer wait.
  static Progress passive(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA wal_checkpoint(PASSIVE)")) {
      return rows.next() ? new Progress(rows.getLong(2), rows.getLong(3)) : new Progress(0, 0);
    }
  }

  /// The writer reports how much it has written.
  ///
  /// @return whether the writer should copy the rest now
  boolean written(long weight) {
    lock.lock();
    try {
      bytes += weight;
      if (bytes > START_BYTES && !copying && !restLeft) {
        copying = true;
        changed.signalAll();
      }
      return restLeft || bytes > OVERDUE_BYTES;
    } finally {
      lock.unlock();
    }
  }

  /// The writer has copied the rest.
  void finished(Progress progress) {
    lock.lock();
    try {
      restLeft = false;
      // A reader of an old snapshot can keep frames from being copied; those count on.
      bytes = 4096 * Math.max(0, progress.frames() - progress.copied());
    } finally {
      lock.unlock();
    }
  }

  private void copyNext() throws SQLException {
    if (!awaitWork()) {
      ended.countDown();
      loop.finish();
      return;
    }
    try {
      passive(connection);
    } finally {
      copied();
    }
  }

  private boolean awaitWork() {
    lock.lock();
    try {
      while (!copying && !closed) {
        changed.awaitUninterruptibly();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void copied() {
    lock.lock();
    try {
      copying = false;
      restLeft = true;
    } finally {
      lock.unlock();
    }
  }

  private void stop() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a running copy, also when the caller is interrupted.
  @Override
  public void close() {
    stop();
    Latches.awaitUninterruptibly(ended, CLOSE_WITHIN);
    loop.close();
    Database.close(connection, null);
  }
}
