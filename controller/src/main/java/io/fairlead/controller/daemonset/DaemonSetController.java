package io.fairlead.controller.daemonset;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.queue.WorkQueue;
import io.fairlead.client.time.Backoff;
import io.fairlead.client.time.Ticker;
import io.fairlead.controller.history.Histories;
import io.fairlead.controller.history.Revision;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.runtime.Wiring;
import io.fairlead.controller.workload.Expectations;
import io.fairlead.controller.workload.Owners;
import io.fairlead.controller.workload.Pod;
import io.fairlead.controller.workload.PodChanges;
import io.fairlead.controller.workload.PodControl;
import io.fairlead.controller.workload.StatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps one pod of each DaemonSet on every node that wants it. What is done next is a
/// [DaemonPlan].
public final class DaemonSetController implements Controller {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));
  private static final Backoff AFTER_FAILURE =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(15));
  private static final int BURST = 250;

  /// A pod of a set that failed on a node.
  private record Place(String set, String node) {}

  private record Failures(int count, long until) {}

  private final InstantSource clock;
  private final Ticker ticker;
  private final Informer<DaemonSet> sets;
  private final Informer<Pod> pods;
  private final Informer<Node> nodes;
  private final Histories histories;
  private final Owners owners;
  private final Expectations expectations;
  private final PodControl control;
  private final StatusWriter statuses;
  private final Map<Place, Failures> failures = new ConcurrentHashMap<>();
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  public DaemonSetController(Wiring wiring, int workers) {
    this.clock = wiring.clock();
    this.ticker = wiring.pacing().ticker();
    this.workers = workers;
    this.sets = wiring.informers().of(DaemonSet.KIND);
    this.pods = wiring.informers().of(Pod.KIND);
    this.nodes = wiring.informers().of(Node.KIND);
    this.queue = new WorkQueue<>(ticker, BACKOFF);
    this.histories = new Histories(wiring, DaemonSet.TYPE, queue::add);
    this.owners = new Owners(wiring.client(), DaemonSet.TYPE);
    this.expectations = new Expectations(pods, queue::add);
    this.control =
        new PodControl(
            wiring.client(), wiring.events("daemonset-controller"), DaemonSet.TYPE, expectations);
    this.statuses = new StatusWriter(wiring.client(), DaemonSet.TYPE);
    this.loop =
        new ControllerLoop<>(
            "daemonset-controller",
            queue,
            this::reconcile,
            List.of(sets, pods, nodes, histories.informer()));
  }

  @Override
  public void start() {
    sets.onChange(new EachChange<>(set -> queue.add(set.metadata().key())));
    pods.onChange(new PodChanges<>(DaemonSet.TYPE.kind(), sets, DaemonSet::selector, queue::add));
    nodes.onChange(new NodeChanges());
    loop.start(workers);
  }

  @Override
  public ControllerLoop<ObjectKey> loop() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    Optional<DaemonSet> found = sets.get(key);
    if (found.isEmpty()) {
      expectations.forget(key);
      histories.forget(key);
      return Reconciler.DONE;
    }
    DaemonSet set = found.get();
    List<Pod> candidates = new ArrayList<>(pods.find(Pod.BY_CONTROLLER, set.metadata().uid()));
    if (!histories.fresh(set.metadata()) || !expectations.met(key, candidates)) {
      return Reconciler.DONE; // comes back
    }
    if (set.selector().isEmpty()) {
      control.tell(
          set.metadata(),
          true,
          "SelectingAll",
          "This daemon set is selecting all pods. A non-empty selector is required.");
      return Reconciler.DONE;
    }
    candidates.addAll(pods.find(Pod.BY_CONTROLLER, Pod.orphansOf(key.namespace())));
    List<Pod> mine = owners.take(set.metadata(), set.selector(), candidates, ResourceType.PODS);
    try {
      return step(set, mine);
    } catch (ApiException e) {
      if (Statuses.isNamespaceTerminating(e)) {
        return Reconciler.DONE;
      }
      throw e;
    }
  }

  private Reconciler.Result step(DaemonSet set, List<Pod> mine) {
    Instant now = clock.instant();
    List<Revision> known = histories.of(set.metadata());
    Revision newest = histories.newest(set.object(), known);
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
    mine.forEach(pod -> inUse.add(pod.metadata().labels().getOrDefault(Revision.POD_LABEL, "")));
    histories.prune(set.object(), known, inUse);
    return wait.or(() -> nextAvailable(set, mine, now))
        .<Reconciler.Result>map(Reconciler.Result.Again::new)
        .orElse(Reconciler.DONE);
  }

  /// Deletes pods that failed, each time on the same node after a longer pause.
  private Optional<Duration> replaceFailed(DaemonSet set, List<Pod> failed) {
    Optional<Duration> wait = Optional.empty();
    for (Pod pod : failed) {
      Place place = new Place(set.metadata().uid(), pod.nodeName());
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

  private static Optional<Duration> nextAvailable(DaemonSet set, List<Pod> mine, Instant now) {
    return mine.stream()
        .filter(pod -> pod.ready() && !pod.available(set.minReady(), now))
        .map(pod -> Duration.between(now, pod.readySince().plus(set.minReady())))
        .min(Duration::compareTo);
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
      sets.list().forEach(set -> queue.add(set.metadata().key()));
    }
  }
}
