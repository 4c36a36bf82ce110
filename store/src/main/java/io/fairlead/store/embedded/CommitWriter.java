package io.fairlead.store.embedded;

import io.fairlead.store.CommitResult;
import io.fairlead.store.StoreException;
import io.fairlead.store.Write;
import io.fairlead.store.engine.Deadlines;
import io.fairlead.store.engine.Latches;
import io.fairlead.store.engine.WatchHub;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one loop that writes.
///
/// How it works: callers put their commits into a queue and wait. The loop takes all that wait,
/// writes them in one SQLite transaction, and after its sync makes each visible, hands it to the
/// watches and wakes the callers. While it syncs, the next commits gather: the more writers, the
/// larger the groups, without any pause. Between groups it does small steps of upkeep.
///
/// A step that fails unexpectedly fails the requests it held and goes on with the next group. What
/// it had made durable by then is published by the next step, so that the index never lacks what
/// the disk has. Nothing interrupts the loop: an interrupt in SQLite can look like a disk error.
final class CommitWriter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CommitWriter.class);
  private static final int GROUP = 512;
  private static final int WAITING = 16_384;
  private static final int EXPIRED_PER_COMMIT = 100;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// The kind of its loop.
  static final String LOOP = "store-writer";

  /// Short: commits wait meanwhile.
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1));

  /// A disk that takes longer is not coming back.
  private static final Duration CLOSE_WITHIN = Duration.ofMinutes(5);

  private final BlockingQueue<Request> queue = new LinkedBlockingQueue<>(WAITING);
  private final Database database;
  private final WriteTransactions tables;
  private final KeyIndex index;
  private final WatchHub hub;
  private final AcknowledgedRevision acknowledged;
  private final Checkpointer checkpointer;
  private final HistoryCleaner cleaner;
  private final Deadlines deadlines;
  private final LongSupplier nanoClock;
  private final SupervisedLoop loop;
  private final CountDownLatch ended = new CountDownLatch(1);
  // Owned by the loop.
  private StateRow state;
  private long upkeepNotBefore;
  private @Nullable CommitGroup unpublished;
  private volatile long compacted;
  private volatile long cleaned;
  private volatile @Nullable StoreException trouble;
  private volatile boolean closed;

  /// What the loop is asked to do.
  private sealed interface Request {
    record Commit(List<Write> writes, CompletableFuture<CommitResult> outcome) implements Request {}

    record Compact(long revision, CompletableFuture<Boolean> done) implements Request {}

    record Wake() implements Request {}
  }

  /// What the loop works with, opened and loaded.
  record Dependencies(
      Database database,
      WriteTransactions tables,
      KeyIndex index,
      WatchHub hub,
      AcknowledgedRevision acknowledged,
      Checkpointer checkpointer,
      Deadlines deadlines,
      LongSupplier nanoClock) {}

  CommitWriter(Dependencies dependencies, StateRow state) {
    this.database = dependencies.database();
    this.tables = dependencies.tables();
    this.index = dependencies.index();
    this.hub = dependencies.hub();
    this.acknowledged = dependencies.acknowledged();
    this.checkpointer = dependencies.checkpointer();
    this.deadlines = dependencies.deadlines();
    this.nanoClock = dependencies.nanoClock();
    this.cleaner = new HistoryCleaner(tables, index);
    this.state = state;
    this.compacted = state.compacted();
    this.cleaned = HistoryRow.revisionOf(state.cleanedId());
    this.upkeepNotBefore = nanoClock.getAsLong();
    this.loop =
        SupervisedLoop.of(LOOP)
            .platform()
            .backoff(BACKOFF)
            .stopBy(this::wake)
            .stopWithin(CLOSE_WITHIN)
            .build(this::writeNext);
  }

  void start() {
    loop.start();
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

  CommitResult commit(List<Write> writes) {
    return ask(new CompletableFuture<>(), outcome -> new Request.Commit(writes, outcome));
  }

  void compact(long revision) {
    ask(new CompletableFuture<Boolean>(), done -> new Request.Compact(revision, done));
  }

  /// Makes the loop read its clock. When the queue is full it is awake.
  void wake() {
    boolean _ = queue.offer(new Request.Wake());
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
    if (ended.getCount() == 0) {
      drainRefusing(); // the loop ended between the check of `closed` and the offer
    }
    try {
      return answer.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreException cause) {
        // A fresh one per caller, so that its stack shows who asked.
        throw new StoreException(
            String.valueOf(cause.getMessage()), cause.getCause(), cause.outcomeUnknown());
      }
      throw e;
    }
  }

  private void writeNext() {
    publishDurable();
    Request first = next();
    if (closed && first == null) {
      end();
      return;
    }
    List<Request> group = new ArrayList<>();
    if (first != null) {
      group.add(first);
      queue.drainTo(group, GROUP - 1);
    }
    try {
      process(group);
    } catch (RuntimeException | Error e) {
      StoreException cause = new StoreException("the store's writer failed: " + e, e, true);
      trouble = cause;
      group.forEach(request -> refuse(request, cause));
      throw e;
    }
    expire();
    upkeep();
  }

  private void end() {
    closed = true;
    ended.countDown();
    drainRefusing();
    loop.finish();
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
    CommitGroup batch = new CommitGroup(index);
    List<CommitResult> outcomes = new ArrayList<>(commits.size());
    for (Request.Commit commit : commits) {
      outcomes.add(batch.add(commit.writes()));
    }
    try {
      write(batch);
      for (int i = 0; i < commits.size(); i++) {
        commits.get(i).outcome().complete(outcomes.get(i));
      }
    } catch (WriteTransactions.FailedException e) {
      if (SqliteErrors.kind(e.reason()) == SqliteErrors.Kind.OTHER && commits.size() > 1) {
        // One commit may be at fault (a value too large); the others must not suffer for it.
        commits.forEach(commit -> commitAll(List.of(commit)));
        return;
      }
      StoreException cause = failed("cannot write to the store", e);
      commits.forEach(commit -> commit.outcome().completeExceptionally(cause));
    }
  }

  /// Makes the group durable, then visible, then known.
  private void write(CommitGroup batch) throws WriteTransactions.FailedException {
    if (batch.isEmpty()) {
      return;
    }
    StateRow next = batch.state(state);
    tables.write(batch, next);
    state = next;
    unpublished = batch;
    trouble = null;
    publishDurable();
    if (checkpointer.written(batch.weight())) {
      finishCheckpoint();
    }
  }

  /// Makes visible what is durable. Repeatable: a step that failed in here leaves it to the next.
  private void publishDurable() {
    CommitGroup batch = unpublished;
    if (batch == null) {
      return;
    }
    note(batch.revision());
    hub.publish(batch.commits(), () -> index.apply(batch.revision(), batch.newest()));
    long now = nanoClock.getAsLong();
    for (HistoryRow row : batch.rows()) {
      deadlines.written(row.key, row.revision(), row.ttlSeconds, now);
    }
    unpublished = null;
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
      StateRow next = state.withCompacted(request.revision());
      try {
        tables.write(next);
      } catch (WriteTransactions.FailedException e) {
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
    CommitGroup batch = new CommitGroup(index);
    List<Write> deletes = new ArrayList<>();
    for (Deadlines.Deadline each : due) {
      deletes.add(new Write.Delete(each.key(), Write.ANY));
    }
    batch.add(deletes);
    boolean written = false;
    try {
      write(batch);
      written = true;
    } catch (WriteTransactions.FailedException e) {
      failed("cannot delete expired keys", e);
    } finally {
      if (!written) {
        due.forEach(each -> deadlines.written(each.key(), each.revision(), 1, now));
      }
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
      cleaned = HistoryRow.revisionOf(state.cleanedId());
      if (checkpointer.written(64 * 1024)) {
        finishCheckpoint();
      }
    } catch (WriteTransactions.FailedException e) {
      upkeepNotBefore = now + RETRY_NANOS;
      failed("cannot clean up compacted history", e);
    } catch (RuntimeException e) {
      upkeepNotBefore = now + 60 * RETRY_NANOS;
      trouble = new StoreException("cannot clean up compacted history: " + e.getMessage(), e);
      throw e;
    }
  }

  private StoreException failed(String what, WriteTransactions.FailedException e) {
    StoreException cause = database.faults().of(what, e.reason(), e.outcomeUnknown());
    if (trouble == null) {
      log.atError().setCause(cause).log("the store cannot write");
    }
    trouble = cause;
    return cause;
  }

  private void drainRefusing() {
    StoreException cause = new StoreException("the store is closed", null);
    for (Request request = queue.poll(); request != null; request = queue.poll()) {
      refuse(request, cause);
    }
  }

  /// Answers a request with that failure, unless it was answered before.
  private static void refuse(Request request, StoreException cause) {
    switch (request) {
      case Request.Commit commit -> commit.outcome().completeExceptionally(cause);
      case Request.Compact compact -> compact.done().completeExceptionally(cause);
      case Request.Wake _ -> {}
    }
  }

  /// Ends the loop after what is queued has been written, also when the caller is interrupted: the
  /// database is closed next.
  @Override
  public void close() {
    closed = true;
    wake();
    Latches.awaitUninterruptibly(ended, CLOSE_WITHIN);
    loop.close();
  }
}
