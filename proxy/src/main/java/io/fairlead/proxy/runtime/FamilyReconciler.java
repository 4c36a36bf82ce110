package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.monitoring.ProxyHealth;
import io.fairlead.proxy.monitoring.ProxyMetrics;
import io.fairlead.proxy.tracking.PlanUpdate;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the rules of one family in step with the plan.
///
/// How it works: events are folded into a [SyncSchedule], which says what to do next. The first
/// change after a quiet time is written at once. What arrives while rules are written waits and
/// goes out together, so batches grow under load by themselves. The difference between the plan
/// written last and the new one is computed once, for the data plane and for the listener.
///
/// The loop `proxy-sync` of the family owns the data plane and everything written here; other
/// threads only add events and read. No lock is held while rules are written.
final class FamilyReconciler implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FamilyReconciler.class);
  static final String LOOP = "proxy-sync";

  /// Learns of every plan that rules now follow, and what changed. Runs on the reconciler's thread.
  interface Listener {
    /// @param slices the newest version of a slice that the rules show
    void applied(PlanDiff change, String slices);

    /// Rules for a plan were not written.
    void failed();
  }

  /// What a reconciler works with.
  ///
  /// @param longest how long a mode goes without reading the kernel back
  record Dependencies(
      Planner planner,
      ProxyHealth health,
      ProxyMetrics metrics,
      InstantSource clock,
      Ticker ticker,
      SyncRecorder recorder,
      Function<ProxyMode, Duration> longest,
      Listener listener) {}

  private final IpAddress.Family family;
  private final Dependencies dependencies;
  private final SupervisedLoop loop;
  private final AtomicReference<SyncSchedule> schedule;
  private final ThreadCalls calls = new ThreadCalls();
  // When the first change that waits arrived, and when another program's was noticed.
  private final AtomicReference<@Nullable Instant> waitsSince = new AtomicReference<>();
  private final AtomicReference<@Nullable Instant> driftedAt = new AtomicReference<>();
  // Permits: one when an event has come since the loop last looked at the schedule.
  private final Semaphore events = new Semaphore(0);
  // Written by the loop's thread; read by others.
  private volatile DataPlane plane;
  private volatile ProxyMode mode;
  private volatile Plan written;
  private volatile String writtenSlices = "";
  private volatile String writtenServices = "";
  private volatile Duration lastTook = Duration.ZERO;
  private volatile Instant lastSync = Instant.EPOCH;
  // Negative before the first time.
  private volatile int lastWrites = -1;
  private volatile boolean writing;
  private volatile String lastFailure = "";

  /// @param plane what carries plans out at first
  /// @param mode the mode of that
  /// @param start a plan without Services
  FamilyReconciler(
      DataPlane plane, ProxyMode mode, Plan start, SyncSchedule schedule, Dependencies with) {
    this.family = start.node().family();
    this.dependencies = with;
    this.plane = plane;
    this.mode = mode;
    this.written = start;
    this.schedule = new AtomicReference<>(schedule);
    // Native calls and child processes: not for a virtual thread, and not to be interrupted.
    this.loop =
        SupervisedLoop.of(LOOP).key(family).platform().stopBy(this::signal).build(this::step);
  }

  void start() {
    dependencies.health.started(family);
    plane.onDrift(this::foreignChange);
    request();
    loop.start();
  }

  /// Something changed. Never blocks.
  void request() {
    changeWaits();
    on(SyncSchedule::request);
  }

  /// The kernel may hold other rules than were written: reads it back soon. Never blocks.
  void drifted() {
    changeWaits();
    on(SyncSchedule::drift);
  }

  /// Another program may have changed the rules. Never blocks.
  private void foreignChange() {
    driftedAt.compareAndSet(null, dependencies.clock.instant());
    drifted();
  }

  /// Writes nothing by itself until the hold ends: while another mode takes over, the one in charge
  /// must not repair what that has written. What is requested meanwhile is done then.
  void hold(boolean now) {
    on(state -> state.hold(now));
  }

  private void changeWaits() {
    Instant now = dependencies.clock.instant();
    waitsSince.compareAndSet(null, now);
    dependencies.metrics.queued(family, now);
    dependencies.health.queued(family);
  }

  private void on(UnaryOperator<SyncSchedule> event) {
    SyncSchedule _ = schedule.updateAndGet(event);
    signal();
  }

  private void signal() {
    if (events.availablePermits() == 0) {
      events.release();
    }
  }

  /// The plan that the rules follow.
  Plan written() {
    return written;
  }

  /// The newest version of a slice that the rules show; empty before the first one.
  String writtenSlices() {
    return writtenSlices;
  }

  /// The state of the rules, for a caller that waits for nothing.
  ///
  /// Objects may change in ways that no rule shows. When the last plan covers all that was heard
  /// and is written, the rules show the newest versions, whichever objects brought them.
  WrittenState state() {
    Planner.SeenVersions seen = dependencies.planner.seen();
    // In this order: a plan that was taken but is not written yet finds `writing` on.
    boolean current = seen.planned() && !writing && lastFailure.isEmpty() && lastWrites >= 0;
    return new WrittenState(
        written,
        current ? seen.services() : writtenServices,
        current ? seen.slices() : writtenSlices,
        lastSync,
        lastTook,
        Math.max(0, lastWrites),
        lastFailure);
  }

  Duration lastTook() {
    return lastTook;
  }

  /// Why the last attempt failed; empty when it worked.
  String lastFailure() {
    return lastFailure;
  }

  DataPlane plane() {
    return plane;
  }

  /// One round: a call of another thread, or what the schedule says.
  private void step() throws InterruptedException {
    int _ = events.drainPermits();
    if (loop.isClosing()) {
      return;
    }
    if (calls.runNext()) {
      return;
    }
    switch (schedule.get().next(dependencies.ticker.nanos())) {
      case SyncSchedule.Turn.Wait(long nanos) -> {
        boolean _ = events.tryAcquire(nanos, TimeUnit.NANOSECONDS);
      }
      case SyncSchedule.Turn.Sync(boolean whole) -> sync(whole);
    }
  }

  private void sync(boolean whole) {
    SyncSchedule _ = schedule.updateAndGet(SyncSchedule::begin);
    boolean ended = false;
    boolean worked = false;
    try {
      worked = write(whole);
      ended = true;
    } finally {
      boolean succeeded = worked;
      SyncSchedule _ =
          schedule.updateAndGet(state -> state.end(dependencies.ticker.nanos(), succeeded, whole));
      if (!ended) {
        // The loop tries again, and must find the change that this round began with.
        drifted();
      }
    }
  }

  /// @return whether the rules follow the newest plan now
  private boolean write(boolean whole) {
    long start = dependencies.ticker.nanos();
    // Off again only when the rules follow: what was planned and failed is not written.
    writing = true;
    Optional<Instant> received = Optional.ofNullable(waitsSince.getAndSet(null));
    Optional<Instant> drift =
        whole ? Optional.ofNullable(driftedAt.getAndSet(null)) : Optional.empty();
    PlanUpdate update = dependencies.planner.plan();
    Plan desired = update.plan();
    Planner.PendingCounts waiting = dependencies.planner.waiting();
    dependencies.metrics.waiting(waiting.services(), waiting.slices());
    PlanDiff change = PlanDiff.between(written, desired);
    ApplyResult applied;
    try {
      applied = whole ? plane.reconcile(desired) : plane.apply(desired, change);
    } catch (RuntimeException e) {
      lastFailure = String.valueOf(e.getMessage());
      dependencies.metrics.failed(family, mode, whole);
      log.atError()
          .addKeyValue("family", family)
          .addKeyValue("mode", mode)
          .setCause(e)
          .log("rules were not written, trying again");
      dependencies.recorder.failed(family, lastFailure);
      dependencies.listener.failed();
      return false;
    }
    lastFailure = "";
    lastTook = Duration.ofNanos(dependencies.ticker.nanos() - start);
    lastWrites = applied.writes();
    lastSync = dependencies.clock.instant();
    follows(update);
    dependencies.health.updated(family);
    dependencies.metrics.written(
        family, applied, update.triggers(), lastTook, dependencies.clock.instant());
    log.atDebug()
        .addKeyValue("family", family)
        .addKeyValue("full", applied.full())
        .addKeyValue("writes", applied.writes())
        .addKeyValue("took", lastTook)
        .log("rules written");
    if (!change.isEmpty()) {
      dependencies.recorder.applied(family, update, change, applied, lastTook, received);
    } else if (drift.isPresent() && applied.writes() > 0) {
      dependencies.recorder.repaired(
          family, drift.get(), applied.writes(), plane.lastForeignWriter());
    }
    dependencies.listener.applied(change, update.slices());
    return true;
  }

  private void follows(PlanUpdate update) {
    written = update.plan();
    writtenSlices = update.slices();
    writtenServices = update.services();
    writing = false;
  }

  /// Has the loop's thread do something, between two syncs, and waits for it.
  private void call(Runnable work) {
    calls.call(work, this::signal, loop::isClosing);
  }

  /// A data plane of another mode that has the rules for a plan in the kernel, beside those of the
  /// present one.
  record Successor(DataPlane plane, ProxyMode mode, Plan plan) {}

  /// Writes the rules of another mode beside the present ones; the present plane stays in charge.
  ///
  /// @param facts about the node, as the other mode sees it
  Successor writeBeside(DataPlane next, ProxyMode nextMode, NodeFacts facts) {
    Plan beside = written.under(facts);
    call(() -> next.reconcile(beside));
    return new Successor(next, nextMode, beside);
  }

  /// Puts that plane in charge; what the former has written stays. When it fails the former stays
  /// in charge.
  ///
  /// @return the former, to be dismissed
  DataPlane takeOver(Successor next) {
    DataPlane former = plane;
    call(() -> exchange(next));
    return former;
  }

  private void exchange(Successor next) {
    Planner planner = dependencies.planner;
    NodeFacts before = planner.node();
    boolean _ = planner.put(next.plan.node());
    PlanUpdate update = planner.plan();
    try {
      next.plane.apply(update.plan(), PlanDiff.between(next.plan, update.plan()));
    } catch (RuntimeException e) {
      boolean _ = planner.put(before);
      request();
      throw e;
    }
    SyncSchedule _ =
        schedule.updateAndGet(state -> state.longest(dependencies.longest.apply(next.mode)));
    plane = next.plane;
    mode = next.mode;
    PlanDiff change = PlanDiff.between(written, update.plan());
    follows(update);
    next.plane.onDrift(this::foreignChange);
    dependencies.listener.applied(change, update.slices());
  }

  /// Removes everything that a plane has written which is no longer in charge, and closes it.
  ///
  /// @param successor the mode that is
  /// @return what could not be removed; empty when all was
  String dismiss(DataPlane former, ProxyMode successor) {
    try (former) {
      call(() -> former.removeBeside(successor));
      return "";
    } catch (DataPlaneException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /// Ends the loop after the round it is in. Rules stay.
  @Override
  public void close() {
    loop.close();
    calls.refuseAll();
    plane.close();
  }
}
