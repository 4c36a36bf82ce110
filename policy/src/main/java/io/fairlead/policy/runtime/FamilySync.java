package io.fairlead.policy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.policy.core.PlanChange;
import io.fairlead.policy.core.PolicyPlanner;
import io.fairlead.policy.core.PolicySet;
import io.fairlead.policy.core.PolicyTable;
import io.fairlead.policy.nftables.KernelPolicyTable;
import io.fairlead.policy.nftables.TableSettings;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps the table of one family equal to the plan: takes what has changed, plans, writes one
/// transaction. There is no fixed pause; what changes during a transaction goes out with the next.
///
/// The first step waits until everything was read once. A transaction that fails is followed by one
/// that reads the table back; a failure while planning, and a change of which pods are followed, by
/// a plan from nothing. One platform thread, which owns the planner and the table.
final class FamilySync implements AutoCloseable {
  static final String KIND = "policy-sync";

  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1));
  private static final Duration AUDIT = Duration.ofSeconds(10);

  /// What others read of the newest plan in the kernel.
  ///
  /// @param versions of objects, by plural
  record Shown(
      Map<String, String> versions, Map<PolicySet, Integer> sizes, int classes, int grants) {}

  private final IpAddress.Family family;
  private final String node;
  private final PolicyInformers informers;
  private final KernelPolicyTable table;
  private final PendingObjects pending;
  private final Supplier<Set<IpAddress>> nodeAddresses;
  private final PolicyMetrics metrics;
  private final Ticker ticker;
  private final Consumer<PlanChange> written;
  private final Runnable awaited;
  private final boolean gateFirst;
  private final PolicyPlanner.SharedAddressListener shared;
  private final SupervisedLoop loop;
  private final CountDownLatch ready = new CountDownLatch(1);
  private volatile TableSettings settings;
  private volatile @Nullable Shown shown;
  private volatile long failingSince = -1;

  // Owned by the loop.
  private @Nullable PolicyPlanner planner;
  private TableSettings applied;
  private boolean readBack;
  private int followed;

  /// @param written is called after each transaction, on the loop's thread
  /// @param awaited is called when the kernel shows a pod whose start may wait for it
  /// @param gateFirst whether all pods are closed until the API was read, where there is no table
  ///   yet
  /// @param shared is told of an address that two pods claim
  FamilySync(
      IpAddress.Family family,
      String node,
      PolicyInformers informers,
      TableSettings settings,
      Supplier<Set<IpAddress>> nodeAddresses,
      PolicyMetrics metrics,
      Ticker ticker,
      Consumer<PlanChange> written,
      Runnable awaited,
      boolean gateFirst,
      PolicyPlanner.SharedAddressListener shared) {
    this.family = family;
    this.node = node;
    this.informers = informers;
    this.settings = settings;
    this.applied = settings;
    this.nodeAddresses = nodeAddresses;
    this.metrics = metrics;
    this.ticker = ticker;
    this.pending = new PendingObjects(ticker);
    this.written = written;
    this.awaited = awaited;
    this.gateFirst = gateFirst;
    this.shared = shared;
    this.table = KernelPolicyTable.open(family, settings);
    this.loop = SupervisedLoop.of(KIND).key(family).platform().backoff(BACKOFF).build(this::step);
    informers.namespaces.onChange(ChangeHandler.of(pending::put, pending::remove));
    informers.onPodChange(ChangeHandler.of(pending::put, pending::remove));
    informers.policies.onChange(ChangeHandler.of(pending::put, pending::remove));
  }

  void start() {
    loop.start();
  }

  /// Other ranges or options.
  void settings(TableSettings changed) {
    settings = changed;
    pending.wake();
  }

  /// Something besides objects has changed, such as the machine's addresses.
  void wake() {
    pending.wake();
  }

  private void step() throws InterruptedException {
    try {
      PolicyPlanner current = planner;
      if (current == null) {
        loadAll();
      } else {
        sync(current);
      }
      failingSince = -1;
    } catch (SystemCallException e) {
      readBack = true;
      failed();
      metrics.kernelError(e.errno().toString());
      throw e;
    } catch (RuntimeException e) {
      planner = null;
      failed();
      throw e;
    }
  }

  private void failed() {
    if (failingSince < 0) {
      failingSince = ticker.nanos();
    }
  }

  /// Plans from nothing; keeps the numbers the kernel has.
  private void loadAll() throws InterruptedException {
    if (gateFirst && !table.exists()) {
      table.reconcile(new PolicyPlanner(family, node).plan());
    }
    followed = informers.awaitSync();
    Map<String, String> versions = informers.versions();
    // What is listed below contains it.
    PendingObjects.Batch _ = pending.take(Duration.ZERO);
    PolicyPlanner fresh = new PolicyPlanner(family, node);
    fresh.onSharedAddress(shared);
    PolicyTable.Numbers numbers = table.numbers();
    fresh.adopt(numbers.classes(), numbers.grants());
    fresh.nodeAddresses(nodeAddresses.get());
    fresh.load(informers.namespaces.list(), informers.pods(), informers.policies.list());
    PlanChange all = fresh.drain();
    applied = settings;
    table.settings(applied);
    reconcile(fresh);
    planner = fresh;
    acknowledged(fresh, versions, all);
    ready.countDown();
    awaited.run();
  }

  private void sync(PolicyPlanner current) throws InterruptedException {
    PendingObjects.Batch batch = pending.take(readBack ? Duration.ZERO : AUDIT);
    // What an informer has reached was handed over before: with the rest, all up to these versions
    // is planned.
    Map<String, String> versions = informers.versions();
    PendingObjects.Batch rest = pending.take(Duration.ZERO);
    if (informers.followPods() != followed) {
      planner = null;
      loadAll();
      return;
    }
    batch.feed(current);
    rest.feed(current);
    current.nodeAddresses(nodeAddresses.get());
    PlanChange change = current.drain();
    boolean audit = batch.isEmpty() && !table.isOwned();
    if (!settings.equals(applied)) {
      applied = settings;
      table.settings(applied);
      readBack = true;
    }
    if (readBack || audit) {
      int repaired = reconcile(current);
      if (audit && repaired > 0) {
        metrics.repaired();
      }
    } else if (!change.isEmpty()) {
      long before = ticker.nanos();
      table.apply(change);
      long now = ticker.nanos();
      metrics.synced(Duration.ofNanos(now - before));
      metrics.followed(Duration.ofNanos(now - Math.min(batch.since(), rest.since())));
    }
    acknowledged(current, versions, change);
    if (batch.hasWaitingPod(node) || rest.hasWaitingPod(node)) {
      // Also when this family has nothing to write for it: the report is as old as the slower one.
      awaited.run();
    }
  }

  private int reconcile(PolicyPlanner current) {
    long before = ticker.nanos();
    int changes = table.reconcile(current.plan());
    readBack = false;
    metrics.synced(Duration.ofNanos(ticker.nanos() - before));
    return changes;
  }

  private void acknowledged(
      PolicyPlanner current, Map<String, String> versions, PlanChange change) {
    current.acknowledged();
    Map<PolicySet, Integer> sizes = new EnumMap<>(PolicySet.class);
    for (PolicySet set : PolicySet.values()) {
      sizes.put(set, current.size(set));
    }
    shown = new Shown(versions, sizes, current.classes(), current.grants());
    if (!change.isEmpty() || !change.released().isEmpty()) {
      written.accept(change);
    }
  }

  /// The newest plan in the kernel; null before the first.
  @Nullable Shown shown() {
    return shown;
  }

  /// Whether the kernel follows: false when writing has failed for ten seconds.
  boolean isHealthy() {
    long since = failingSince;
    return since < 0 || ticker.nanos() - since < AUDIT.toNanos();
  }

  boolean awaitReady(Duration most) throws InterruptedException {
    return ready.await(most.toNanos(), TimeUnit.NANOSECONDS);
  }

  boolean isReady() {
    return ready.getCount() == 0;
  }

  /// Rules stay.
  @Override
  public void close() {
    loop.close();
    table.close();
  }
}
