package io.fairlead.controller.statefulset;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.queue.WorkQueue;
import io.fairlead.client.time.Backoff;
import io.fairlead.controller.history.Histories;
import io.fairlead.controller.history.Revision;
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
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the pods of StatefulSets, each under its own name, in order. What is done next is a
/// [SetPlan].
public final class StatefulSetController implements Controller {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

  private final Client client;
  private final InstantSource clock;
  private final Informer<StatefulSet> sets;
  private final Informer<Pod> pods;
  private final Histories histories;
  private final Owners owners;
  private final Expectations expectations;
  private final PodControl control;
  private final StatusWriter statuses;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  public StatefulSetController(Wiring wiring, int workers) {
    this.client = wiring.client();
    this.clock = wiring.clock();
    this.workers = workers;
    this.sets = wiring.informers().of(StatefulSet.KIND);
    this.pods = wiring.informers().of(Pod.KIND);
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.histories = new Histories(wiring, StatefulSet.TYPE, queue::add);
    this.owners = new Owners(client, StatefulSet.TYPE);
    this.expectations = new Expectations(pods, queue::add);
    this.control =
        new PodControl(
            client, wiring.events("statefulset-controller"), StatefulSet.TYPE, expectations);
    this.statuses = new StatusWriter(client, StatefulSet.TYPE);
    this.loop =
        new ControllerLoop<>(
            "statefulset-controller",
            queue,
            this::reconcile,
            List.of(sets, pods, histories.informer()));
  }

  @Override
  public void start() {
    sets.onChange(new EachChange<>(set -> queue.add(set.metadata().key())));
    pods.onChange(
        new PodChanges<>(StatefulSet.TYPE.kind(), sets, StatefulSet::selector, queue::add));
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
    Optional<StatefulSet> found = sets.get(key);
    if (found.isEmpty()) {
      expectations.forget(key);
      histories.forget(key);
      return Reconciler.DONE;
    }
    StatefulSet set = found.get();
    List<Pod> candidates = new ArrayList<>(pods.find(Pod.BY_CONTROLLER, set.metadata().uid()));
    if (!histories.fresh(set.metadata()) || !expectations.met(key, candidates)) {
      return Reconciler.DONE; // comes back
    }
    candidates.addAll(pods.find(Pod.BY_CONTROLLER, Pod.orphansOf(key.namespace())));
    candidates.removeIf(pod -> set.ordinal(pod.key().name()) < 0);
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

  private Reconciler.Result step(StatefulSet set, List<Pod> mine) {
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
    return mine.stream()
        .filter(pod -> pod.ready() && !pod.available(set.minReady(), now))
        .map(pod -> Duration.between(now, pod.readySince().plus(set.minReady())))
        .min(Duration::compareTo)
        .<Reconciler.Result>map(Reconciler.Result.Again::new)
        .orElse(Reconciler.DONE);
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
