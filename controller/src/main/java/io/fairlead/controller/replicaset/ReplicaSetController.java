package io.fairlead.controller.replicaset;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.queue.WorkQueue;
import io.fairlead.client.time.Backoff;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keeps as many pods as each ReplicaSet asks for: makes those that are missing, deletes those that
/// are too many, and says how many there are.
public final class ReplicaSetController implements Controller {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

  private final InstantSource clock;
  private final Informer<ReplicaSet> sets;
  private final Informer<Pod> pods;
  private final Owners owners;
  private final Expectations expectations;
  private final PodControl control;
  private final StatusWriter statuses;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  public ReplicaSetController(Wiring wiring, int workers) {
    this.clock = wiring.clock();
    this.workers = workers;
    this.sets = wiring.informers().of(ReplicaSet.KIND);
    this.pods = wiring.informers().of(Pod.KIND);
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.owners = new Owners(wiring.client(), ReplicaSet.TYPE);
    this.expectations = new Expectations(pods, queue::add);
    this.control =
        new PodControl(
            wiring.client(), wiring.events("replicaset-controller"), ReplicaSet.TYPE, expectations);
    this.statuses = new StatusWriter(wiring.client(), ReplicaSet.TYPE);
    this.loop =
        new ControllerLoop<>("replicaset-controller", queue, this::reconcile, List.of(sets, pods));
  }

  @Override
  public void start() {
    sets.onChange(new EachChange<>(set -> queue.add(set.metadata().key())));
    pods.onChange(new PodChanges<>(ReplicaSet.TYPE.kind(), sets, ReplicaSet::selector, queue::add));
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
    Optional<ReplicaSet> found = sets.get(key);
    if (found.isEmpty()) {
      expectations.forget(key);
      return Reconciler.DONE;
    }
    ReplicaSet set = found.get();
    List<Pod> candidates = new ArrayList<>(pods.find(Pod.BY_CONTROLLER, set.metadata().uid()));
    if (!expectations.met(key, candidates)) {
      return Reconciler.DONE; // comes back when it is
    }
    candidates.addAll(pods.find(Pod.BY_CONTROLLER, Pod.orphansOf(key.namespace())));
    List<Pod> mine = owners.take(set.metadata(), set.selector(), candidates, ResourceType.PODS);
    Instant now = clock.instant();
    if (set.metadata().beingDeleted()) {
      write(set, mine, Optional.empty(), now);
      return Reconciler.DONE;
    }
    List<Pod> active = mine.stream().filter(Pod::active).toList();
    String step = active.size() < set.replicas() ? "FailedCreate" : "FailedDelete";
    try {
      manage(set, active, now);
    } catch (ApiException e) {
      if (Statuses.isNamespaceTerminating(e)) {
        return Reconciler.DONE;
      }
      write(set, mine, Optional.of(new ReplicaSetStatus.Failure(step, e.status().message())), now);
      throw e;
    }
    write(set, mine, Optional.empty(), now);
    return nextAvailable(active, set.minReady(), now);
  }

  private void write(
      ReplicaSet set, List<Pod> mine, Optional<ReplicaSetStatus.Failure> failure, Instant now) {
    statuses.write(set.object(), ReplicaSetStatus.of(set, mine, failure, now));
  }

  private void manage(ReplicaSet set, List<Pod> active, Instant now) {
    int missing = set.replicas() - active.size();
    if (missing > 0) {
      control.createSlowly(
          set.metadata(),
          Math.min(missing, PodControl.BURST),
          _ -> PodControl.fromTemplate(set.template(), ReplicaSet.TYPE, set.metadata(), ""));
    } else if (missing < 0) {
      int count = Math.min(-missing, PodControl.BURST);
      control.deleteAll(
          set.metadata(), Victims.choose(active, podsByNode(set, active), count, now));
    }
  }

  /// How many active pods of the whole family (all ReplicaSets of the same Deployment) are on each
  /// node.
  private Map<String, Integer> podsByNode(ReplicaSet set, List<Pod> own) {
    List<Pod> family = own;
    Optional<OwnerReference> controller = set.controller();
    if (controller.isPresent()) {
      family = new ArrayList<>();
      for (ReplicaSet sibling : sets.find(ReplicaSet.BY_CONTROLLER, controller.get().uid())) {
        family.addAll(pods.find(Pod.BY_CONTROLLER, sibling.metadata().uid()));
      }
    }
    Map<String, Integer> counts = new HashMap<>();
    for (Pod pod : family) {
      if (pod.active() && !pod.nodeName().isEmpty()) {
        counts.merge(pod.nodeName(), 1, Integer::sum);
      }
    }
    return counts;
  }

  /// Looks again at the moment the next pod has been ready for long enough.
  private static Reconciler.Result nextAvailable(List<Pod> active, Duration minReady, Instant now) {
    return active.stream()
        .filter(pod -> pod.ready() && !pod.available(minReady, now))
        .map(pod -> Duration.between(now, pod.readySince().plus(minReady)))
        .min(Duration::compareTo)
        .<Reconciler.Result>map(Reconciler.Result.Again::new)
        .orElse(Reconciler.DONE);
  }
}
