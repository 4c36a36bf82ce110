package io.fairlead.server.audit;

import io.fairlead.api.json.Json;
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
/// How it works: callers put events into a bounded queue; the thread `audit-log` encodes and writes
/// them. When the queue is full the caller waits a moment, which slows down whoever makes so many
/// requests; an event that finds no place even then is dropped and counted, and the count is
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

  private static final Logger log = LoggerFactory.getLogger(AuditLog.class);
  private static final int BATCH = 256;
  private static final long POLL_MILLIS = 200;

  private final BlockingQueue<AuditEvent> queue;
  private final Options options;
  private final RotatingFile file;
  private final Thread writer;
  private final AtomicLong dropped = new AtomicLong();
  private volatile boolean closing;

  private AuditLog(RotatingFile file, Options options) {
    this.file = file;
    this.options = options;
    this.queue = new ArrayBlockingQueue<>(options.queue());
    this.writer = Thread.ofPlatform().name("audit-log").daemon().start(this::run);
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
    closing = true;
    boolean interrupted = false;
    while (writer.isAlive()) {
      try {
        writer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<AuditEvent> batch = new ArrayList<>(BATCH);
    long reported = 0;
    boolean failing = false;
    while (!closing || !queue.isEmpty()) {
      try {
        AuditEvent first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (first == null) {
          continue;
        }
        batch.add(first);
        queue.drainTo(batch, BATCH - 1);
        for (AuditEvent event : batch) {
          file.writeLine(Json.bytes(event.toJson()));
        }
        file.flush();
        failing = false;
      } catch (IOException e) {
        dropped.addAndGet(batch.size());
        if (!failing) {
          log.atError().setCause(e).log("the audit log cannot be written, lines are lost");
        }
        failing = true;
      } catch (InterruptedException e) {
        closing = true;
      }
      batch.clear();
      if (dropped.get() > reported && !failing) {
        log.atWarn().addKeyValue("lost", dropped.get() - reported).log("audit events were lost");
        reported = dropped.get();
      }
    }
    file.close();
  }
}
