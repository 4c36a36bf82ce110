package io.fairlead.controller.statefulset;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.ControllerHistory;
import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.OwnerController;
import io.fairlead.controller.workload.PodControl;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the pods of StatefulSets, each under its own name, in order. What is done next is a
/// [StatefulSetPlan].
public final class StatefulSetController extends OwnerController<StatefulSet, WorkloadPod> {
  private static final String NAME = "statefulset-controller";

  private final ControllerHistory histories;
  private final PodControl control;

  public StatefulSetController(ControllerContext wiring, int workers) {
    super(
        wiring,
        workers,
        Ownership.ofPods(NAME, StatefulSet.TYPE, StatefulSet.KIND, StatefulSet::selector),
        Duration.ofSeconds(1000),
        List.of(wiring.informers().of(ControllerRevision.KIND)));
    this.histories =
        new ControllerHistory(wiring, StatefulSet.TYPE, ControllerRevision.HASH, queue::add);
    this.control = new PodControl(client, wiring.events(NAME), StatefulSet.TYPE, expectations);
  }

  @Override
  protected boolean fresh(StatefulSet set) {
    return histories.fresh(set.metadata());
  }

  @Override
  protected void forget(ObjectKey key) {
    histories.forget(key);
  }

  @Override
  protected boolean eligible(StatefulSet set, WorkloadPod pod) {
    return set.ordinal(pod.key().name()) >= 0;
  }

  @Override
  protected Reconciler.Result step(StatefulSet set, List<WorkloadPod> mine) {
    Instant now = clock.instant();
    List<ControllerRevision> known = histories.of(set.metadata());
    ControllerRevision newest = histories.newest(set.object(), known);
    String currentName = StatefulSetStatus.current(set);
    ControllerRevision current =
        known.stream().filter(one -> one.name().equals(currentName)).findFirst().orElse(newest);
    statuses.write(set.object(), StatefulSetStatus.of(set, mine, current, newest, now));
    if (set.metadata().beingDeleted()) {
      return Reconciler.DONE;
    }
    StatefulSetPlan plan = StatefulSetPlan.of(set, mine, current, newest, now);
    for (StatefulSetPlan.PodCreation birth : plan.create()) {
      claim(set, birth.ordinal());
    }
    control.createSlowly(
        set.metadata(),
        plan.create().size(),
        i -> {
          StatefulSetPlan.PodCreation birth = plan.create().get(i);
          return StatefulPodIdentity.pod(
              set, birth.ordinal(), birth.fromNewest() ? newest : current);
        });
    control.deleteAll(set.metadata(), plan.delete());
    Set<String> inUse = new HashSet<>(List.of(current.name(), newest.name()));
    mine.forEach(pod -> inUse.add(StatefulSetPlan.revision(pod)));
    histories.prune(set.object(), known, inUse);
    return again(untilAvailable(mine, set.minReady(), now));
  }

  private void claim(StatefulSet set, int ordinal) {
    for (ObjectNode claim : StatefulPodIdentity.claims(set, ordinal)) {
      try {
        client.create(ResourceType.PERSISTENT_VOLUME_CLAIMS, set.metadata().namespace(), claim);
        String name = Json.textOr(claim, "", "metadata", "name");
        control.tell(
            set.metadata(),
            false,
            "SuccessfulCreate",
            "create Claim " + name + " Pod " + set.name() + "-" + ordinal + " success");
      } catch (ApiException e) {
        if (!ApiErrors.isAlreadyExists(e)) {
          throw e;
        }
      }
    }
  }
}
