package io.fairlead.server.audit;

import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes audit events to a file, one JSON object a line, without making requests wait for the
/// disk.
///
/// How it works: callers put events into a bounded queue; the loop `audit-log` encodes and writes
/// them. When the queue is full the caller waits a moment, which slows down clients that make so
/// many requests; an event that finds no place even then is dropped and counted, and the count is
/// logged. Losing lines is the lesser evil: a server that stops for its log can be stopped by
/// filling it.
///
/// [#log] may be called from any thread. [#close] writes what is queued and stops the thread.
public final class AuditLog implements AutoCloseable {
  /// How much is kept.
  ///
  /// @param maxBytes a file that grows beyond it is set aside
  /// @param backups how many such files are kept, as `NAME.1` (the newest), `NAME.2`, …
  /// @param queue how many events may wait
  public record Options(long maxBytes, int backups, int queue, Duration patience) {
    public static final Options DEFAULT =
        new Options(100L << 20, 5, 10_000, Duration.ofMillis(100));
  }

  /// The kind of its loop.
  static final String LOOP = "audit-log";

  private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
  private static final int BATCH = 256;
  private static final long POLL_MILLIS = 200;

  /// Short: while the disk refuses, the queue must not fill up and slow requests down.
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofMillis(100));

  private static final Duration STOP_WITHIN = Duration.ofMinutes(1);

  private final BlockingQueue<AuditEvent> queue;
  private final Options options;
  private final RotatingFile file;
  private final SupervisedLoop loop;
  private final AtomicLong dropped = new AtomicLong();
  private final List<AuditEvent> batch = new ArrayList<>(BATCH);
  private volatile boolean closing;
  // Owned by the loop.
  private long reported;

  private AuditLog(RotatingFile file, Options options) {
    this.file = file;
    this.options = options;
    this.queue = new ArrayBlockingQueue<>(options.queue());
    this.loop =
        SupervisedLoop.of(LOOP)
            .platform()
            .backoff(BACKOFF)
            // An interrupt would close the file under its writer.
            .stopBy(() -> {})
            .stopWithin(STOP_WITHIN)
            .start(this::writeNext);
  }

  /// Opens the file, appending to what is there.
  ///
  /// @throws UncheckedIOException when it cannot be opened
  public static AuditLog open(Path path, Options options) {
    try {
      return new AuditLog(RotatingFile.open(path, options.maxBytes(), options.backups()), options);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the audit log " + path, e);
    }
  }

  /// Takes an event. After [#close] it is ignored.
  public void log(AuditEvent event) {
    if (closing) {
      return;
    }
    try {
      if (!queue.offer(event)
          && !queue.offer(event, options.patience().toNanos(), TimeUnit.NANOSECONDS)) {
        dropped.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      dropped.incrementAndGet();
    }
  }

  /// How many events were lost since the start.
  public long dropped() {
    return dropped.get();
  }

  @Override
  public void close() {
    if (closing) {
      return;
    }
    closing = true;
    loop.close();
    try {
      while (!queue.isEmpty()) {
        writeNext();
      }
    } catch (IOException e) {
      log.atError().setCause(e).log("the audit log cannot be written, lines are lost");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      file.close();
    }
  }

  /// Writes the events that wait, many at a time. When that fails they are lost, and counted.
  private void writeNext() throws IOException, InterruptedException {
    AuditEvent first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
    if (first == null) {
      return;
    }
    batch.add(first);
    queue.drainTo(batch, BATCH - 1);
    boolean written = false;
    try {
      for (AuditEvent event : batch) {
        file.writeLine(event.toLine());
      }
      file.flush();
      written = true;
    } finally {
      if (!written) {
        dropped.addAndGet(batch.size());
      }
      batch.clear();
    }
    long lost = dropped.get();
    if (lost > reported) {
      log.atWarn().addKeyValue("lost", lost - reported).log("audit events were lost");
      reported = lost;
    }
  }
}
