package io.fairlead.controller.deployment;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.controller.replicaset.ReplicaSet;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.OwnerController;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Rolls Deployments: keeps a ReplicaSet for every version of the template, grows the newest, and
/// shrinks the others as pods become available. One run is a [Rollout].
public final class DeploymentController extends OwnerController<Deployment, ReplicaSet> {
  private static final String NAME = "deployment-controller";

  private final Informer<WorkloadPod> pods;
  private final ReplicaSetControl replicaSets;

  public DeploymentController(ControllerContext wiring, int workers) {
    super(
        wiring,
        workers,
        new Ownership<>(
            NAME,
            Deployment.TYPE,
            Deployment.KIND,
            Deployment::selector,
            ReplicaSet.TYPE,
            ReplicaSet.KIND),
        Duration.ofSeconds(1000),
        List.of(wiring.informers().of(WorkloadPod.KIND)));
    this.pods = wiring.informers().of(WorkloadPod.KIND);
    this.replicaSets = new ReplicaSetControl(client, wiring.events(NAME), expectations);
  }

  @Override
  protected void join() {
    pods.onChange(new PodChanges());
  }

  @Override
  protected Optional<Reconciler.Result> aside(Deployment deployment, List<ReplicaSet> mine) {
    if (!deployment.selector().isEmpty()) {
      return Optional.empty();
    }
    replicaSets.warn(
        deployment,
        "SelectingAll",
        "This deployment is selecting all pods. A non-empty selector is required.");
    return Optional.of(Reconciler.DONE);
  }

  @Override
  protected Reconciler.Result step(Deployment deployment, List<ReplicaSet> mine) {
    return new Rollout(deployment, mine, replicaSets, statuses, this::hasPods, clock.instant())
        .step();
  }

  /// Whether a pod of that ReplicaSet is there that has not finished, be it on its way out.
  private boolean hasPods(ReplicaSet set) {
    return pods.find(WorkloadPod.BY_CONTROLLER, set.metadata().uid()).stream()
        .anyMatch(pod -> !pod.finished());
  }

  /// A Deployment of type Recreate waits for its last old pod to be gone.
  private final class PodChanges implements ChangeHandler<WorkloadPod> {
    @Override
    public void added(WorkloadPod pod, boolean initial) {}

    @Override
    public void updated(WorkloadPod old, WorkloadPod now) {
      if (now.finished() && !old.finished()) {
        deleted(now, false);
      }
    }

    @Override
    public void deleted(WorkloadPod last, boolean finalStateUnknown) {
      last.controller()
          .flatMap(owner -> owned.get(new ObjectKey(last.key().namespace(), owner.name())))
          .flatMap(ReplicaSet::controller)
          .map(owner -> new ObjectKey(last.key().namespace(), owner.name()))
          .filter(key -> owners.get(key).filter(one -> !one.rolling()).isPresent())
          .ifPresent(queue::add);
    }
  }
}
