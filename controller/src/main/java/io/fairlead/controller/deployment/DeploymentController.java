package io.fairlead.controller.deployment;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.Statuses;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.queue.WorkQueue;
import io.fairlead.client.time.Backoff;
import io.fairlead.controller.replicaset.ReplicaSet;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.runtime.Wiring;
import io.fairlead.controller.workload.Expectations;
import io.fairlead.controller.workload.Owners;
import io.fairlead.controller.workload.Pod;
import io.fairlead.controller.workload.StatusWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Rolls Deployments: keeps a ReplicaSet for every version of the template, grows the newest, and
/// shrinks the others as pods become available. One run is a [Rollout].
public final class DeploymentController implements Controller {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

  private final InstantSource clock;
  private final Informer<Deployment> deployments;
  private final Informer<ReplicaSet> sets;
  private final Informer<Pod> pods;
  private final Owners owners;
  private final Expectations expectations;
  private final ReplicaSets replicaSets;
  private final StatusWriter statuses;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  public DeploymentController(Wiring wiring, int workers) {
    this.clock = wiring.clock();
    this.workers = workers;
    this.deployments = wiring.informers().of(Deployment.KIND);
    this.sets = wiring.informers().of(ReplicaSet.KIND);
    this.pods = wiring.informers().of(Pod.KIND);
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.owners = new Owners(wiring.client(), Deployment.TYPE);
    this.expectations = new Expectations(sets, queue::add);
    this.replicaSets =
        new ReplicaSets(wiring.client(), wiring.events("deployment-controller"), expectations);
    this.statuses = new StatusWriter(wiring.client(), Deployment.TYPE);
    this.loop =
        new ControllerLoop<>(
            "deployment-controller", queue, this::reconcile, List.of(deployments, sets, pods));
  }

  @Override
  public void start() {
    deployments.onChange(new EachChange<>(one -> queue.add(one.metadata().key())));
    sets.onChange(new SetChanges());
    pods.onChange(new PodChanges());
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
    Optional<Deployment> found = deployments.get(key);
    if (found.isEmpty()) {
      expectations.forget(key);
      return Reconciler.DONE;
    }
    Deployment deployment = found.get();
    List<ReplicaSet> candidates =
        new ArrayList<>(sets.find(ReplicaSet.BY_CONTROLLER, deployment.metadata().uid()));
    if (!expectations.met(key, candidates)) {
      return Reconciler.DONE; // comes back when they are
    }
    if (deployment.selector().isEmpty()) {
      replicaSets.warn(
          deployment,
          "SelectingAll",
          "This deployment is selecting all pods. A non-empty selector is required.");
      return Reconciler.DONE;
    }
    candidates.addAll(sets.find(ReplicaSet.BY_CONTROLLER, Pod.orphansOf(key.namespace())));
    try {
      List<ReplicaSet> mine =
          owners.take(deployment.metadata(), deployment.selector(), candidates, ReplicaSet.TYPE);
      return new Rollout(deployment, mine, replicaSets, statuses, this::hasPods, clock.instant())
          .step();
    } catch (ApiException e) {
      if (Statuses.isNamespaceTerminating(e)) {
        return Reconciler.DONE;
      }
      throw e;
    }
  }

  /// Whether a pod of that ReplicaSet is there that has not finished, be it on its way out.
  private boolean hasPods(ReplicaSet set) {
    return pods.find(Pod.BY_CONTROLLER, set.metadata().uid()).stream()
        .anyMatch(pod -> !pod.finished());
  }

  private void wake(ReplicaSet set) {
    Optional<OwnerReference> controller = set.controller();
    if (controller.isPresent()) {
      if (controller.get().kind().equals(Deployment.TYPE.kind())) {
        ObjectKey key = new ObjectKey(set.metadata().namespace(), controller.get().name());
        deployments
            .get(key)
            .filter(one -> one.metadata().uid().equals(controller.get().uid()))
            .ifPresent(_ -> queue.add(key));
      }
      return;
    }
    for (Deployment deployment : deployments.list()) {
      if (deployment.metadata().namespace().equals(set.metadata().namespace())
          && deployment.selector().matches(set.metadata().labels())) {
        queue.add(deployment.metadata().key());
      }
    }
  }

  private final class SetChanges implements ChangeHandler<ReplicaSet> {
    @Override
    public void added(ReplicaSet set, boolean initial) {
      wake(set);
    }

    @Override
    public void updated(ReplicaSet old, ReplicaSet now) {
      if (!old.controller().equals(now.controller())) {
        old.controller().ifPresent(_ -> wake(old));
      }
      wake(now);
    }

    @Override
    public void deleted(ReplicaSet last, boolean finalStateUnknown) {
      last.controller().ifPresent(_ -> wake(last));
    }
  }

  /// A Deployment of type Recreate waits for its last old pod to be gone.
  private final class PodChanges implements ChangeHandler<Pod> {
    @Override
    public void added(Pod pod, boolean initial) {}

    @Override
    public void updated(Pod old, Pod now) {
      if (now.finished() && !old.finished()) {
        deleted(now, false);
      }
    }

    @Override
    public void deleted(Pod last, boolean finalStateUnknown) {
      last.controller()
          .flatMap(owner -> sets.get(new ObjectKey(last.key().namespace(), owner.name())))
          .flatMap(ReplicaSet::controller)
          .map(owner -> new ObjectKey(last.key().namespace(), owner.name()))
          .filter(key -> deployments.get(key).filter(one -> !one.rolling()).isPresent())
          .ifPresent(queue::add);
    }
  }
}
