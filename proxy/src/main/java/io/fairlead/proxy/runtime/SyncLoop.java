package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Ticker;
import io.fairlead.proxy.core.Applied;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.health.ProxyHealth;
import io.fairlead.proxy.metrics.ProxyMetrics;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.proxy.tracking.Update;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the rules of one family in step with the plan. One thread does all the work; others only
/// say that there is some.
///
/// How it works: the first change after a quiet time is written at once. What arrives while rules
/// are written waits and goes out together, so batches grow under load by themselves.
final class SyncLoop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SyncLoop.class);

  /// What the loop works with.
  ///
  /// @param mode the name of the mode at first, for metrics
  /// @param plane what carries plans out at first
  /// @param longest how long a mode goes without reading the kernel back
  /// @param applied is told of every plan that rules now follow, and what changed
  /// @param failed runs when rules for a plan were not written
  record Parts(
      String mode,
      Planner planner,
      DataPlane plane,
      Cadence cadence,
      ProxyHealth health,
      ProxyMetrics metrics,
      InstantSource clock,
      Ticker ticker,
      Function<String, Duration> longest,
      BiConsumer<Plan, PlanDiff> applied,
      Runnable failed) {}

  private final IpAddress.Family family;
  private final Parts parts;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wake = lock.newCondition();
  // Guarded by the lock.
  private boolean closed;
  private boolean drifted;
  private boolean held;
  private final ArrayDeque<Runnable> asked = new ArrayDeque<>();
  // Owned by the loop's thread; read by others.
  private volatile DataPlane plane;
  private volatile String mode;
  private volatile Plan current;
  private volatile Plan written;
  private volatile String writtenSlices = "";
  private volatile Duration lastTook = Duration.ZERO;
  private volatile String lastFailure = "";

  SyncLoop(IpAddress.Family family, Plan start, Parts parts) {
    this.family = family;
    this.parts = parts;
    this.plane = parts.plane;
    this.mode = parts.mode;
    this.current = start;
    this.written = start;
    // The kernel is driven by native calls and child processes: not for a virtual thread.
    this.thread = Thread.ofPlatform().daemon().name("proxy-" + family).unstarted(this::run);
  }

  void start() {
    parts.health.started(family);
    plane.onDrift(this::drifted);
    request();
    thread.start();
  }

  /// Something changed. Never blocks for long.
  void request() {
    Instant now = parts.clock.instant();
    parts.metrics.queued(family, now);
    parts.health.queued(family);
    lock.lock();
    try {
      parts.cadence.request();
      wake.signal();
    } finally {
      lock.unlock();
    }
  }

  /// The kernel may hold other rules than were written: reads it back soon.
  void drifted() {
    lock.lock();
    try {
      drifted = true;
    } finally {
      lock.unlock();
    }
    request();
  }

  Plan written() {
    return written;
  }

  /// What the rules depend on besides Services and endpoints.
  NodeFacts facts() {
    return written.node();
  }

  /// The newest version of a slice that the rules show; empty before the first one.
  String writtenSlices() {
    return writtenSlices;
  }

  Duration lastTook() {
    return lastTook;
  }

  /// Why the last attempt failed; empty when it worked.
  String lastFailure() {
    return lastFailure;
  }

  private void run() {
    try {
      while (true) {
        Turn turn = await();
        if (turn == Turn.STOP) {
          return;
        }
        if (turn == Turn.WORK) {
          work();
          continue;
        }
        boolean whole = turn == Turn.EVERYTHING;
        boolean worked = sync(whole);
        lock.lock();
        try {
          parts.cadence.end(parts.ticker.nanos(), worked);
          drifted |= !worked && whole;
        } finally {
          lock.unlock();
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// What the loop does next.
  private enum Turn {
    CHANGES,
    EVERYTHING,
    WORK,
    STOP
  }

  private Turn await() throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        if (!asked.isEmpty()) {
          return Turn.WORK;
        }
        if (held) {
          wake.await();
          continue;
        }
        long wait = parts.cadence.waitNanos(parts.ticker.nanos());
        if (wait <= 0) {
          boolean whole = drifted || parts.cadence.isPeriodic();
          drifted = false;
          parts.cadence.begin();
          return whole ? Turn.EVERYTHING : Turn.CHANGES;
        }
        long _ = wake.awaitNanos(wait);
      }
      return Turn.STOP;
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    Runnable next;
    lock.lock();
    try {
      next = asked.poll();
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.run();
    }
  }

  /// Has the loop's thread do something, between two syncs, and waits for it.
  private void call(Runnable what) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    lock.lock();
    try {
      if (closed) {
        throw new DataPlaneException("the proxy is stopping");
      }
      asked.add(
          () -> {
            try {
              what.run();
              done.complete(true);
            } catch (RuntimeException e) {
              done.completeExceptionally(e);
            }
          });
      wake.signal();
    } finally {
      lock.unlock();
    }
    try {
      boolean _ = done.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof DataPlaneException refused
          ? refused
          : new DataPlaneException(String.valueOf(e.getMessage()), e);
    }
  }

  /// Writes nothing by itself until it is released: while another mode takes over, the one in
  /// charge must not repair what that has written. What is asked for meanwhile is done then.
  void hold(boolean now) {
    lock.lock();
    try {
      held = now;
      wake.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Has another plane follow the plan beside the present one, which stays in charge.
  void writeBeside(DataPlane next, NodeFacts facts) {
    call(() -> next.reconcile(written.under(facts)));
  }

  /// Puts that plane in charge; what the former has written stays. When it fails the former stays
  /// in charge.
  ///
  /// @return the former, to be dismissed
  DataPlane takeOver(DataPlane next, String nextMode, NodeFacts facts) {
    DataPlane former = plane;
    call(() -> exchange(next, nextMode, facts));
    return former;
  }

  /// Takes everything away that a plane has written which is no longer in charge, and closes it.
  ///
  /// @param successor the mode that is
  /// @return what could not be taken away; empty when all was
  String dismiss(DataPlane former, String successor) {
    try (former) {
      call(() -> former.removeBeside(successor));
      return "";
    } catch (DataPlaneException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void exchange(DataPlane next, String nextMode, NodeFacts facts) {
    NodeFacts before = current.node();
    boolean _ = parts.planner.put(facts);
    Update update = parts.planner.plan();
    try {
      next.apply(update.plan());
    } catch (RuntimeException e) {
      boolean _ = parts.planner.put(before);
      request();
      throw e;
    }
    lock.lock();
    try {
      parts.cadence.longest(parts.longest.apply(nextMode));
    } finally {
      lock.unlock();
    }
    plane = next;
    mode = nextMode;
    current = update.plan();
    PlanDiff diff = PlanDiff.between(written, current);
    written = current;
    writtenSlices = update.slices();
    next.onDrift(this::drifted);
    parts.applied.accept(current, diff);
  }

  DataPlane plane() {
    return plane;
  }

  private boolean sync(boolean whole) {
    long start = parts.ticker.nanos();
    Update update = parts.planner.plan();
    current = update.plan();
    reportWaiting();
    Applied applied;
    try {
      applied = whole ? plane.reconcile(current) : plane.apply(current);
    } catch (RuntimeException e) {
      lastFailure = String.valueOf(e.getMessage());
      parts.metrics.failed(family, mode, whole);
      log.atError()
          .addKeyValue("family", family)
          .addKeyValue("mode", mode)
          .setCause(e)
          .log("rules were not written, trying again");
      parts.failed.run();
      return false;
    }
    lastFailure = "";
    lastTook = Duration.ofNanos(parts.ticker.nanos() - start);
    PlanDiff diff = PlanDiff.between(written, current);
    written = current;
    writtenSlices = update.slices();
    succeeded(update, applied, diff);
    return true;
  }

  private void succeeded(Update update, Applied applied, PlanDiff diff) {
    Instant now = parts.clock.instant();
    parts.health.updated(family);
    parts.metrics.synced(family, applied.full(), lastTook, now);
    update
        .triggers()
        .forEach(trigger -> parts.metrics.programmed(family, Duration.between(trigger, now)));
    for (String table : applied.sizes().keySet()) {
      if (!table.endsWith(".last")) {
        parts.metrics.iptablesRules(
            family,
            table,
            applied.sizes().getOrDefault(table, 0),
            applied.sizes().getOrDefault(table + ".last", 0));
      }
    }
    parts.applied.accept(current, diff);
    log.atDebug()
        .addKeyValue("family", family)
        .addKeyValue("full", applied.full())
        .addKeyValue("writes", applied.writes())
        .addKeyValue("took", lastTook)
        .log("rules written");
  }

  private void reportWaiting() {
    Planner.Waiting waiting = parts.planner.waiting();
    parts.metrics.waiting(waiting.services(), waiting.slices());
  }

  /// Ends the thread after the run it is in. Rules stay.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      wake.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    plane.close();
  }
}
