package io.fairlead.controller.replicaset;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.Statuses;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.runtime.Wiring;
import io.fairlead.controller.workload.OwnerController;
import io.fairlead.controller.workload.Pod;
import io.fairlead.controller.workload.PodControl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keeps as many pods as each ReplicaSet asks for: makes those that are missing, deletes those that
/// are too many, and says how many there are.
public final class ReplicaSetController extends OwnerController<ReplicaSet, Pod> {
  private static final String NAME = "replicaset-controller";

  private final PodControl control;

  public ReplicaSetController(Wiring wiring, int workers) {
    super(
        wiring,
        workers,
        Ownership.ofPods(NAME, ReplicaSet.TYPE, ReplicaSet.KIND, ReplicaSet::selector),
        Duration.ofSeconds(1000),
        List.of());
    this.control = new PodControl(client, wiring.events(NAME), ReplicaSet.TYPE, expectations);
  }

  @Override
  protected Reconciler.Result step(ReplicaSet set, List<Pod> mine) {
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
    return again(untilAvailable(active, set.minReady(), now));
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
      for (ReplicaSet sibling : owners.find(ReplicaSet.BY_CONTROLLER, controller.get().uid())) {
        family.addAll(owned.find(Pod.BY_CONTROLLER, sibling.metadata().uid()));
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
}
