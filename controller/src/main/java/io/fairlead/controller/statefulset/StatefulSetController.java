package io.fairlead.controller.statefulset;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.controller.history.Histories;
import io.fairlead.controller.history.Revision;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.runtime.Wiring;
import io.fairlead.controller.workload.OwnerController;
import io.fairlead.controller.workload.Pod;
import io.fairlead.controller.workload.PodControl;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the pods of StatefulSets, each under its own name, in order. What is done next is a
/// [SetPlan].
public final class StatefulSetController extends OwnerController<StatefulSet, Pod> {
  private static final String NAME = "statefulset-controller";

  private final Histories histories;
  private final PodControl control;

  public StatefulSetController(Wiring wiring, int workers) {
    super(
        wiring,
        workers,
        Ownership.ofPods(NAME, StatefulSet.TYPE, StatefulSet.KIND, StatefulSet::selector),
        Duration.ofSeconds(1000),
        List.of(wiring.informers().of(Revision.KIND)));
    this.histories = new Histories(wiring, StatefulSet.TYPE, queue::add);
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
  protected boolean eligible(StatefulSet set, Pod pod) {
    return set.ordinal(pod.key().name()) >= 0;
  }

  @Override
  protected Reconciler.Result step(StatefulSet set, List<Pod> mine) {
    Instant now = clock.instant();
    List<Revision> known = histories.of(set.metadata());
    Revision newest = histories.newest(set.object(), known);
    String currentName = SetStatus.current(set);
    Revision current =
        known.stream().filter(one -> one.name().equals(currentName)).findFirst().orElse(newest);
    statuses.write(set.object(), SetStatus.of(set, mine, current, newest, now));
    if (set.metadata().beingDeleted()) {
      return Reconciler.DONE;
    }
    SetPlan plan = SetPlan.of(set, mine, current, newest, now);
    for (SetPlan.Birth birth : plan.create()) {
      claim(set, birth.ordinal());
    }
    control.createSlowly(
        set.metadata(),
        plan.create().size(),
        i -> {
          SetPlan.Birth birth = plan.create().get(i);
          return Identity.pod(set, birth.ordinal(), birth.fromNewest() ? newest : current);
        });
    control.deleteAll(set.metadata(), plan.delete());
    Set<String> inUse = new HashSet<>(List.of(current.name(), newest.name()));
    mine.forEach(pod -> inUse.add(SetPlan.revision(pod)));
    histories.prune(set.object(), known, inUse);
    return again(untilAvailable(mine, set.minReady(), now));
  }

  private void claim(StatefulSet set, int ordinal) {
    for (ObjectNode claim : Identity.claims(set, ordinal)) {
      try {
        client.create(ResourceType.PERSISTENT_VOLUME_CLAIMS, set.metadata().namespace(), claim);
        String name = Json.textOr(claim, "", "metadata", "name");
        control.tell(
            set.metadata(),
            false,
            "SuccessfulCreate",
            "create Claim " + name + " Pod " + set.name() + "-" + ordinal + " success");
      } catch (ApiException e) {
        if (!Statuses.isAlreadyExists(e)) {
          throw e;
        }
      }
    }
  }
}
