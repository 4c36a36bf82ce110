package io.fairlead.controller.replicaset;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.OwnerController;
import io.fairlead.controller.workload.PodControl;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keeps as many pods as each ReplicaSet asks for: makes those that are missing, deletes those that
/// are too many, and says how many there are.
public final class ReplicaSetController extends OwnerController<ReplicaSet, WorkloadPod> {
  private final ResourceType type;
  private final PodControl control;

  public ReplicaSetController(ControllerContext wiring, int workers) {
    this(wiring, workers, "replicaset-controller", ReplicaSet.TYPE, ReplicaSet.KIND);
  }

  private ReplicaSetController(
      ControllerContext wiring,
      int workers,
      String name,
      ResourceType type,
      InformerKind<ReplicaSet> kind) {
    super(
        wiring,
        workers,
        Ownership.ofPods(name, type, kind, ReplicaSet::selector),
        Duration.ofSeconds(1000),
        List.of());
    this.type = type;
    this.control = new PodControl(client, wiring.events(name), type, expectations);
  }

  /// The same for ReplicationControllers.
  public static ReplicaSetController ofReplicationControllers(
      ControllerContext wiring, int workers) {
    return new ReplicaSetController(
        wiring,
        workers,
        "replicationcontroller-controller",
        ResourceType.REPLICATION_CONTROLLERS,
        ReplicaSet.REPLICATION_CONTROLLERS);
  }

  @Override
  protected Reconciler.Result step(ReplicaSet set, List<WorkloadPod> mine) {
    Instant now = clock.instant();
    if (set.metadata().beingDeleted()) {
      write(set, mine, Optional.empty(), now);
      return Reconciler.DONE;
    }
    List<WorkloadPod> active = mine.stream().filter(WorkloadPod::active).toList();
    String step = active.size() < set.replicas() ? "FailedCreate" : "FailedDelete";
    try {
      manage(set, active, now);
    } catch (ApiException e) {
      if (ApiErrors.isNamespaceTerminating(e)) {
        return Reconciler.DONE;
      }
      write(set, mine, Optional.of(new ReplicaSetStatus.Failure(step, e.status().message())), now);
      throw e;
    }
    write(set, mine, Optional.empty(), now);
    return again(untilAvailable(active, set.minReady(), now));
  }

  private void write(
      ReplicaSet set,
      List<WorkloadPod> mine,
      Optional<ReplicaSetStatus.Failure> failure,
      Instant now) {
    statuses.write(
        set.object(), ReplicaSetStatus.of(set, mine, failure, type.equals(ReplicaSet.TYPE), now));
  }

  private void manage(ReplicaSet set, List<WorkloadPod> active, Instant now) {
    int missing = set.replicas() - active.size();
    if (missing > 0) {
      control.createSlowly(
          set.metadata(),
          Math.min(missing, PodControl.BURST),
          _ -> PodControl.fromTemplate(set.template(), type, set.metadata(), ""));
    } else if (missing < 0) {
      int count = Math.min(-missing, PodControl.BURST);
      control.deleteAll(
          set.metadata(), PodDeletionRanking.choose(active, podsByNode(set, active), count, now));
    }
  }

  /// How many active pods of the whole family (all ReplicaSets of the same Deployment) are on each
  /// node.
  private Map<String, Integer> podsByNode(ReplicaSet set, List<WorkloadPod> own) {
    List<WorkloadPod> family = own;
    Optional<OwnerReference> controller = set.controller();
    if (controller.isPresent()) {
      family = new ArrayList<>();
      for (ReplicaSet sibling : owners.find(ReplicaSet.BY_CONTROLLER, controller.get().uid())) {
        family.addAll(owned.find(WorkloadPod.BY_CONTROLLER, sibling.metadata().uid()));
      }
    }
    Map<String, Integer> counts = new HashMap<>();
    for (WorkloadPod pod : family) {
      if (pod.active() && !pod.nodeName().isEmpty()) {
        counts.merge(pod.nodeName(), 1, Integer::sum);
      }
    }
    return counts;
  }
}
