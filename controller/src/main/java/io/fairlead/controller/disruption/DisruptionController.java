package io.fairlead.controller.disruption;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keeps the status of PodDisruptionBudgets, by which the server decides about evictions. What it
/// says is a [BudgetStatus].
public final class DisruptionController implements Controller {
  private static final String NAME = "disruption-controller";
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

  private final InstantSource clock;
  private final EventRecorder events;
  private final Informer<DisruptionBudget> budgets;
  private final Informer<WorkloadPod> pods;
  private final Map<String, Informer<ScaledOwner>> owners = new LinkedHashMap<>();
  private final StatusWriter statuses;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  public DisruptionController(ControllerContext wiring, int workers) {
    this.workers = workers;
    this.clock = wiring.clock();
    this.events = wiring.events(NAME);
    this.budgets = wiring.informers().of(DisruptionBudget.KIND);
    this.pods = wiring.informers().of(WorkloadPod.KIND);
    ScaledOwner.KINDS.forEach((kind, type) -> owners.put(kind, wiring.informers().of(type)));
    this.statuses = new StatusWriter(wiring.client(), DisruptionBudget.TYPE);
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    List<Informer<?>> needs = new ArrayList<>(List.of(budgets, pods));
    needs.addAll(owners.values());
    this.loop = new ControllerLoop<>(NAME, queue, this::reconcile, needs);
  }

  @Override
  public void start() {
    budgets.onChange(new EachChange<>(budget -> queue.add(budget.metadata().key())));
    pods.onChange(new PodChanges());
    owners.values().forEach(kind -> kind.onChange(new EachChange<>(this::scaled)));
    loop.start(workers);
  }

  @Override
  public ControllerLoop<?> loop() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    Optional<DisruptionBudget> found = budgets.get(key);
    if (found.isEmpty()) {
      return Reconciler.DONE;
    }
    DisruptionBudget budget = found.get();
    Instant now = clock.instant();
    List<WorkloadPod> covered = pods.list().stream().filter(budget::covers).toList();
    if (covered.isEmpty()) {
      record(budget, false, "NoPods", "No matching pods found");
    }
    BudgetStatus next = status(budget, covered, now);
    statuses.write(budget.object(), next.status());
    return next.recheck()
        .<Reconciler.Result>map(Reconciler.Result.Again::new)
        .orElse(Reconciler.DONE);
  }

  private BudgetStatus status(DisruptionBudget budget, List<WorkloadPod> covered, Instant now) {
    if (!budget.needsScale()) {
      return BudgetStatus.of(budget, covered, covered.size(), now);
    }
    Map<String, Integer> scales = new HashMap<>();
    for (WorkloadPod pod : covered) {
      Optional<OwnerReference> owner = pod.controller();
      if (owner.isEmpty()) {
        record(
            budget,
            true,
            "UnmanagedPods",
            "Pods selected by this PodDisruptionBudget (selector: "
                + budget.selector()
                + ") were found to be unmanaged. As a result, the status of the PDB cannot be"
                + " calculated correctly, which may result in undefined behavior. To account for"
                + " these pods please set \".spec.minAvailable\" field of the PDB to an integer"
                + " value.");
        continue;
      }
      Optional<ScaledOwner> scaled = top(pod.key().namespace(), owner.get());
      if (scaled.isEmpty()) {
        String why = "found no controllers for pod \"" + pod.key().name() + "\" that has a scale";
        record(budget, true, "CalculateExpectedPodCountFailed", why);
        return BudgetStatus.failed(budget, why, now);
      }
      scales.put(scaled.get().metadata().uid(), scaled.get().replicas());
    }
    int expected = scales.values().stream().mapToInt(Integer::intValue).sum();
    return BudgetStatus.of(budget, covered, expected, now);
  }

  /// Who decides how many there are: a pod's owner, or the owner of that.
  private Optional<ScaledOwner> top(String namespace, OwnerReference owner) {
    Informer<ScaledOwner> kind = owners.get(owner.kind());
    if (kind == null) {
      return Optional.empty();
    }
    Optional<ScaledOwner> found =
        kind.get(new ObjectKey(namespace, owner.name()))
            .filter(one -> one.metadata().uid().equals(owner.uid()));
    return found
        .flatMap(ScaledOwner::controller)
        .flatMap(above -> top(namespace, above))
        .or(() -> found);
  }

  private void record(DisruptionBudget budget, boolean warning, String reason, String message) {
    ObjectRef about =
        new ObjectRef(DisruptionBudget.TYPE, budget.metadata().key(), budget.metadata().uid());
    events.record(new ObjectEvent(about, warning, reason, message));
  }

  private void scaled(ScaledOwner owner) {
    budgets.list().stream()
        .filter(budget -> budget.metadata().namespace().equals(owner.metadata().namespace()))
        .filter(DisruptionBudget::needsScale)
        .forEach(budget -> queue.add(budget.metadata().key()));
  }

  private void changed(WorkloadPod pod) {
    budgets.list().stream()
        .filter(budget -> budget.covers(pod))
        .forEach(budget -> queue.add(budget.metadata().key()));
  }

  private final class PodChanges implements ChangeHandler<WorkloadPod> {
    @Override
    public void added(WorkloadPod pod, boolean initial) {
      changed(pod);
    }

    @Override
    public void updated(WorkloadPod old, WorkloadPod now) {
      changed(now);
      if (!old.metadata().labels().equals(now.metadata().labels())) {
        changed(old);
      }
    }

    @Override
    public void deleted(WorkloadPod last, boolean finalStateUnknown) {
      changed(last);
    }
  }
}
