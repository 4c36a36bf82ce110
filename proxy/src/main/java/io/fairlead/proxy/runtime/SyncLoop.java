package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Ticker;
import io.fairlead.proxy.core.Applied;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.health.ProxyHealth;
import io.fairlead.proxy.metrics.ProxyMetrics;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.proxy.tracking.Update;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
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
  /// @param mode the name of the mode, for metrics
  /// @param applied is told of every plan that rules now follow, and what changed
  record Parts(
      String mode,
      Planner planner,
      DataPlane plane,
      Cadence cadence,
      ProxyHealth health,
      ProxyMetrics metrics,
      InstantSource clock,
      Ticker ticker,
      BiConsumer<Plan, PlanDiff> applied) {}

  private final IpAddress.Family family;
  private final Parts parts;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wake = lock.newCondition();
  // Guarded by the lock.
  private boolean closed;
  private boolean drifted;
  // Owned by the loop's thread; read by others.
  private volatile Plan current;
  private volatile Plan written;
  private volatile Duration lastTook = Duration.ZERO;
  private volatile String lastFailure = "";

  SyncLoop(IpAddress.Family family, Plan start, Parts parts) {
    this.family = family;
    this.parts = parts;
    this.current = start;
    this.written = start;
    // The kernel is driven by native calls and child processes: not for a virtual thread.
    this.thread = Thread.ofPlatform().daemon().name("proxy-" + family).unstarted(this::run);
  }

  void start() {
    parts.health.started(family);
    parts.plane.onDrift(this::drifted);
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

  private void drifted() {
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
        Boolean whole = await();
        if (whole == null) {
          return;
        }
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

  /// Waits for the next run: true to look at everything, false for changes only, null to stop.
  private @Nullable Boolean await() throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        long wait = parts.cadence.waitNanos(parts.ticker.nanos());
        if (wait <= 0) {
          boolean whole = drifted || parts.cadence.isPeriodic();
          drifted = false;
          parts.cadence.begin();
          return whole;
        }
        long _ = wake.awaitNanos(wait);
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private boolean sync(boolean whole) {
    long start = parts.ticker.nanos();
    Update update = parts.planner.plan();
    current = update.plan();
    reportWaiting();
    Applied applied;
    try {
      applied = whole ? parts.plane.reconcile(current) : parts.plane.apply(current);
    } catch (RuntimeException e) {
      lastFailure = String.valueOf(e.getMessage());
      parts.metrics.failed(family, parts.mode, whole);
      log.atError()
          .addKeyValue("family", family)
          .addKeyValue("mode", parts.mode)
          .setCause(e)
          .log("rules were not written, trying again");
      return false;
    }
    lastFailure = "";
    lastTook = Duration.ofNanos(parts.ticker.nanos() - start);
    PlanDiff diff = PlanDiff.between(written, current);
    written = current;
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
    parts.plane.close();
  }
}
