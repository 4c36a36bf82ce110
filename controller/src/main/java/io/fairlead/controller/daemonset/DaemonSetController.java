package io.fairlead.controller.daemonset;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.ControllerHistory;
import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.OwnerController;
import io.fairlead.controller.workload.PodControl;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps one pod of each DaemonSet on every node that wants it. What is done next is a
/// [DaemonPlan].
public final class DaemonSetController extends OwnerController<DaemonSet, WorkloadPod> {
  private static final String NAME = "daemonset-controller";
  private static final Backoff AFTER_FAILURE =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(15));
  private static final int BURST = 250;

  /// A pod of a set that failed on a node.
  private record Place(ObjectKey set, String uid, String node) {}

  private record Failures(int count, long until) {}

  private final Ticker ticker;
  private final Informer<Node> nodes;
  private final ControllerHistory histories;
  private final PodControl control;
  private final Map<Place, Failures> failures = new ConcurrentHashMap<>();

  public DaemonSetController(ControllerContext wiring, int workers) {
    super(
        wiring,
        workers,
        Ownership.ofPods(NAME, DaemonSet.TYPE, DaemonSet.KIND, DaemonSet::selector),
        Duration.ofSeconds(1000),
        List.of(wiring.informers().of(Node.KIND), wiring.informers().of(ControllerRevision.KIND)));
    this.ticker = wiring.pacing().ticker();
    this.nodes = wiring.informers().of(Node.KIND);
    this.histories =
        new ControllerHistory(wiring, DaemonSet.TYPE, ControllerRevision.POD_LABEL, queue::add);
    this.control = new PodControl(client, wiring.events(NAME), DaemonSet.TYPE, expectations);
  }

  @Override
  protected void join() {
    nodes.onChange(new NodeChanges());
  }

  @Override
  protected boolean fresh(DaemonSet set) {
    return histories.fresh(set.metadata());
  }

  @Override
  protected void forget(ObjectKey key) {
    histories.forget(key);
    failures.keySet().removeIf(place -> place.set().equals(key));
  }

  @Override
  protected Optional<Reconciler.Result> aside(DaemonSet set, List<WorkloadPod> mine) {
    if (!set.selector().isEmpty()) {
      return Optional.empty();
    }
    control.tell(
        set.metadata(),
        true,
        "SelectingAll",
        "This daemon set is selecting all pods. A non-empty selector is required.");
    return Optional.of(Reconciler.DONE);
  }

  @Override
  protected Reconciler.Result step(DaemonSet set, List<WorkloadPod> mine) {
    Instant now = clock.instant();
    List<ControllerRevision> known = histories.of(set.metadata());
    ControllerRevision newest = histories.newest(set.object(), known);
    List<Node> all = nodes.list();
    statuses.write(set.object(), DaemonStatus.of(set, all, mine, newest, now));
    if (set.metadata().beingDeleted()) {
      return Reconciler.DONE;
    }
    DaemonPlan plan = DaemonPlan.of(set, all, mine, newest, now);
    List<String> create = plan.create().stream().limit(BURST).toList();
    control.createSlowly(
        set.metadata(), create.size(), i -> DaemonPod.of(set, create.get(i), newest));
    control.deleteAll(set.metadata(), plan.delete().stream().limit(BURST).toList());
    Optional<Duration> wait = replaceFailed(set, plan.failed());
    Set<String> inUse = new HashSet<>(Set.of(newest.name()));
    mine.forEach(
        pod -> inUse.add(pod.metadata().labels().getOrDefault(ControllerRevision.POD_LABEL, "")));
    histories.prune(set.object(), known, inUse);
    return again(wait.or(() -> untilAvailable(mine, set.minReady(), now)));
  }

  /// Deletes pods that failed, each time on the same node after a longer pause.
  private Optional<Duration> replaceFailed(DaemonSet set, List<WorkloadPod> failed) {
    Optional<Duration> wait = Optional.empty();
    for (WorkloadPod pod : failed) {
      Place place = new Place(set.metadata().key(), set.metadata().uid(), pod.nodeName());
      long now = ticker.nanos();
      Failures before = failures.getOrDefault(place, new Failures(0, now));
      if (before.until() - now > 0) {
        Duration rest = Duration.ofNanos(before.until() - now);
        wait = wait.filter(other -> other.compareTo(rest) <= 0).or(() -> Optional.of(rest));
        continue;
      }
      long pause = AFTER_FAILURE.after(before.count()).toNanos();
      failures.put(place, new Failures(before.count() + 1, now + pause));
      control.tell(
          set.metadata(),
          true,
          "FailedDaemonPod",
          "Found failed daemon pod "
              + pod.key()
              + " on node "
              + pod.nodeName()
              + ", will try to kill it");
      control.delete(set.metadata(), pod);
    }
    return wait;
  }

  private final class NodeChanges implements ChangeHandler<Node> {
    @Override
    public void added(Node node, boolean initial) {
      wakeAll();
    }

    @Override
    public void updated(Node old, Node now) {
      if (!old.metadata().labels().equals(now.metadata().labels())
          || !old.taints().equals(now.taints())
          || old.unschedulable() != now.unschedulable()) {
        wakeAll();
      }
    }

    @Override
    public void deleted(Node last, boolean finalStateUnknown) {
      failures.keySet().removeIf(place -> place.node().equals(last.name()));
      wakeAll();
    }

    private void wakeAll() {
      owners.list().forEach(set -> queue.add(set.metadata().key()));
    }
  }
}
