package io.fairlead.store.embedded;

import io.fairlead.store.Outcome;
import io.fairlead.store.StoreException;
import io.fairlead.store.Write;
import io.fairlead.store.expiry.Deadlines;
import io.fairlead.store.watch.WatchHub;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one thread that writes.
///
/// How it works: callers put their commits into a queue and wait. The thread takes all that wait,
/// writes them in one SQLite transaction, and after its sync makes each visible, tells the watches
/// and wakes the callers. While it syncs, the next commits gather: the more writers, the larger the
/// groups, without any pause. Between groups it does small steps of upkeep.
final class Writer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Writer.class);
  private static final int GROUP = 512;
  private static final int WAITING = 16_384;
  private static final int EXPIRED_PER_COMMIT = 100;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BlockingQueue<Request> queue = new LinkedBlockingQueue<>(WAITING);
  private final Database database;
  private final Tables tables;
  private final Index index;
  private final WatchHub hub;
  private final Acknowledged acknowledged;
  private final Checkpointer checkpointer;
  private final Cleaner cleaner;
  private final Deadlines deadlines;
  private final LongSupplier nanoClock;
  private final Thread thread;
  private State state;
  private long upkeepNotBefore;
  private volatile long compacted;
  private volatile long cleaned;
  private volatile @Nullable StoreException trouble;
  private volatile boolean closed;

  /// What the thread is asked to do.
  private sealed interface Request {
    record Commit(List<Write> writes, CompletableFuture<Outcome> outcome) implements Request {}

    record Compact(long revision, CompletableFuture<Boolean> done) implements Request {}

    record Wake() implements Request {}
  }

  /// What the thread works with, opened and loaded.
  record Parts(
      Database database,
      Tables tables,
      Index index,
      WatchHub hub,
      Acknowledged acknowledged,
      Checkpointer checkpointer,
      Deadlines deadlines,
      LongSupplier nanoClock) {}

  Writer(Parts parts, State state) {
    this.database = parts.database();
    this.tables = parts.tables();
    this.index = parts.index();
    this.hub = parts.hub();
    this.acknowledged = parts.acknowledged();
    this.checkpointer = parts.checkpointer();
    this.deadlines = parts.deadlines();
    this.nanoClock = parts.nanoClock();
    this.cleaner = new Cleaner(tables, index);
    this.state = state;
    this.compacted = state.compacted();
    this.cleaned = Row.revisionOf(state.cleanedId());
    this.upkeepNotBefore = nanoClock.getAsLong();
    this.thread = Thread.ofPlatform().name("store-writer").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  long compacted() {
    return compacted;
  }

  /// How far forgotten history has been deleted from the disk.
  long cleaned() {
    return cleaned;
  }

  /// Why the last write failed, null when it did not.
  @Nullable StoreException trouble() {
    return trouble;
  }

  Outcome commit(List<Write> writes) {
    return ask(new CompletableFuture<>(), outcome -> new Request.Commit(writes, outcome));
  }

  void compact(long revision) {
    ask(new CompletableFuture<Boolean>(), done -> new Request.Compact(revision, done));
  }

  /// Lets the thread look at its clock.
  void wake() {
    queue.add(new Request.Wake());
  }

  private interface Asking<T> {
    Request with(CompletableFuture<T> answer);
  }

  private <T> T ask(CompletableFuture<T> answer, Asking<T> asking) {
    Request request = asking.with(answer);
    if (closed || !queue.offer(request)) {
      throw new StoreException(
          closed ? "the store is closed" : "the store is overloaded: " + WAITING + " writes wait",
          null);
    }
    if (!thread.isAlive()) {
      drainRefusing(); // the thread ended between the look at `closed` and the offer
    }
    try {
      return answer.join();
    } catch (java.util.concurrent.CompletionException e) {
      if (e.getCause() instanceof StoreException cause) {
        // A fresh one per caller, so that its stack shows who asked.
        throw new StoreException(
            String.valueOf(cause.getMessage()), cause.getCause(), cause.outcomeUnknown());
      }
      throw e;
    }
  }

  private void run() {
    try {
      while (true) {
        Request first = next();
        if (closed && first == null) {
          return;
        }
        List<Request> group = new ArrayList<>();
        if (first != null) {
          group.add(first);
          queue.drainTo(group, GROUP - 1);
        }
        process(group);
        expire();
        upkeep();
      }
    } catch (RuntimeException | Error e) {
      log.atError().setCause(e).log("the store's writer ended");
      trouble = new StoreException("the store's writer ended: " + e, e);
      throw e;
    } finally {
      closed = true;
      drainRefusing();
    }
  }

  private @Nullable Request next() {
    long wait = TimeUnit.HOURS.toNanos(1);
    long now = nanoClock.getAsLong();
    wait = Math.min(wait, Math.max(0, deadlines.nanosToNext(now)));
    if (cleaner.hasWork(state)) {
      wait = Math.min(wait, Math.max(0, upkeepNotBefore - now));
    }
    try {
      return closed || wait == 0 ? queue.poll() : queue.poll(wait, TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      return queue.poll();
    }
  }

  private void process(List<Request> group) {
    List<Request.Commit> commits = new ArrayList<>(group.size());
    for (Request request : group) {
      switch (request) {
        case Request.Commit commit -> commits.add(commit);
        case Request.Compact compact -> compactTo(compact);
        case Request.Wake _ -> {}
      }
    }
    if (!commits.isEmpty()) {
      commitAll(commits);
    }
  }

  private void commitAll(List<Request.Commit> commits) {
    Batch batch = new Batch(index);
    List<Outcome> outcomes = new ArrayList<>(commits.size());
    for (Request.Commit commit : commits) {
      outcomes.add(batch.add(commit.writes()));
    }
    try {
      write(batch);
      for (int i = 0; i < commits.size(); i++) {
        commits.get(i).outcome().complete(outcomes.get(i));
      }
    } catch (Tables.FailedException e) {
      if (Faults.kind(e.reason()) == Faults.Kind.OTHER && commits.size() > 1) {
        // One commit may be at fault (a value too large); the others must not suffer for it.
        commits.forEach(commit -> commitAll(List.of(commit)));
        return;
      }
      StoreException cause = failed("cannot write to the store", e);
      commits.forEach(commit -> commit.outcome().completeExceptionally(cause));
    }
  }

  /// Makes the group durable, then visible, then known.
  private void write(Batch batch) throws Tables.FailedException {
    if (batch.isEmpty()) {
      return;
    }
    State next = batch.state(state);
    tables.write(batch, next);
    state = next;
    trouble = null;
    note(next.revision());
    hub.publish(batch.commits(), () -> index.apply(batch.revision(), batch.newest()));
    long now = nanoClock.getAsLong();
    for (Row row : batch.rows()) {
      deadlines.written(row.key, row.revision(), row.ttlSeconds, now);
    }
    if (checkpointer.written(batch.weight())) {
      finishCheckpoint();
    }
  }

  private void note(long revision) {
    try {
      acknowledged.write(revision);
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the acknowledged revision was not noted");
    }
  }

  private void finishCheckpoint() {
    try {
      checkpointer.finished(tables.checkpoint());
    } catch (SQLException e) {
      log.atWarn().setCause(e).log("the write-ahead log could not be copied; it grows on");
    }
  }

  private void compactTo(Request.Compact request) {
    if (request.revision() > state.compacted()) {
      State next = state.withCompacted(request.revision());
      try {
        tables.write(next);
      } catch (Tables.FailedException e) {
        request.done().completeExceptionally(failed("cannot compact the store", e));
        return;
      }
      state = next;
      compacted = next.compacted();
    }
    request.done().complete(true);
  }

  /// Deletes keys whose time has passed. When that fails they stay due and are tried again.
  private void expire() {
    long now = nanoClock.getAsLong();
    if (deadlines.nanosToNext(now) > 0) {
      return;
    }
    List<Deadlines.Deadline> due = deadlines.takeDue(now, EXPIRED_PER_COMMIT);
    Batch batch = new Batch(index);
    List<Write> deletes = new ArrayList<>();
    for (Deadlines.Deadline each : due) {
      deletes.add(new Write.Delete(each.key(), Write.ANY));
    }
    batch.add(deletes);
    try {
      write(batch);
    } catch (Tables.FailedException e) {
      failed("cannot delete expired keys", e);
      due.forEach(each -> deadlines.written(each.key(), each.revision(), 1, now));
    }
  }

  /// One small step of cleaning. A failure is logged and tried again later.
  private void upkeep() {
    long now = nanoClock.getAsLong();
    if (!cleaner.hasWork(state) || now - upkeepNotBefore < 0 || closed) {
      return;
    }
    try {
      state = cleaner.step(state);
      cleaned = Row.revisionOf(state.cleanedId());
      if (checkpointer.written(64 * 1024)) {
        finishCheckpoint();
      }
    } catch (Tables.FailedException e) {
      upkeepNotBefore = now + RETRY_NANOS;
      failed("cannot clean up compacted history", e);
    } catch (StoreException e) {
      upkeepNotBefore = now + 60 * RETRY_NANOS;
      trouble = e;
      log.atError().setCause(e).log("cannot clean up compacted history");
    }
  }

  private StoreException failed(String what, Tables.FailedException e) {
    StoreException cause = database.faults().of(what, e.reason(), e.outcomeUnknown());
    if (trouble == null) {
      log.atError().setCause(cause).log("the store cannot write");
    }
    trouble = cause;
    return cause;
  }

  private void drainRefusing() {
    while (true) {
      Request request = queue.poll();
      StoreException cause = new StoreException("the store is closed", null);
      switch (request) {
        case null -> {
          return;
        }
        case Request.Commit commit -> commit.outcome().completeExceptionally(cause);
        case Request.Compact compact -> compact.done().completeExceptionally(cause);
        case Request.Wake _ -> {}
      }
    }
  }

  /// Ends the thread after what is queued has been written.
  @Override
  public void close() {
    closed = true;
    wake();
    Threads.join(thread);
  }
}
