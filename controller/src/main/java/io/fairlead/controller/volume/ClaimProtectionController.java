package io.fairlead.controller.volume;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps a claim that a pod uses though it was deleted, until the pod is gone.
///
/// A pod uses a claim once it has a node: nodes start no pod whose claim is being deleted. Whether
/// one does is asked of the API and not of what was watched, which may lag behind: a claim that is
/// let go cannot be taken back.
public final class ClaimProtectionController implements Controller {
  private static final String NAME = "persistentvolumeclaim-protection-controller";
  private static final Finalizer FINALIZER =
      new Finalizer("kubernetes.io/pvc-protection", StorageClaim.TYPE);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(5));

  private final Client client;
  private final Informer<StorageClaim> claims;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  // Claims that wait for a pod to go. Written by the worker, read by the informer's thread.
  private final Set<ObjectKey> held = ConcurrentHashMap.newKeySet();
  private final Informer<WorkloadPod> pods;
  private final int workers;

  /// @param workers none in tests that own the time
  public ClaimProtectionController(ControllerContext wiring, int workers) {
    this.workers = workers;
    this.client = wiring.client();
    this.claims = wiring.informers().of(StorageClaim.KIND);
    this.pods = wiring.informers().of(WorkloadPod.KIND);
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.loop = new ControllerLoop<>(NAME, queue, this::reconcile, List.of(claims, pods));
  }

  @Override
  public void start() {
    claims.onChange(
        new EachChange<>(
            claim -> {
              if (claim.metadata().beingDeleted() == FINALIZER.isOn(claim.metadata())) {
                queue.add(claim.metadata().key());
              }
            }));
    pods.onChange(
        new EachChange<>(
            pod ->
                held.stream()
                    .filter(claim -> claim.namespace().equals(pod.metadata().namespace()))
                    .forEach(queue::add)));
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
    // Written with its version as a condition, so it must be the newest.
    Optional<ObjectNode> found = client.find(StorageClaim.TYPE, key);
    StorageClaim claim = found.map(StorageClaim::of).orElse(null);
    if (claim == null || found.isEmpty()) {
      held.remove(key);
      return Reconciler.DONE;
    }
    boolean guarded = FINALIZER.isOn(claim.metadata());
    if (!claim.metadata().beingDeleted()) {
      if (!guarded) {
        FINALIZER.add(client, found.get());
      }
      return Reconciler.DONE;
    }
    if (guarded) {
      // Before the pods are read: one that goes meanwhile brings the claim back here.
      held.add(key);
      if (isUsed(claim)) {
        return Reconciler.DONE;
      }
      FINALIZER.remove(client, found.get());
    }
    held.remove(key);
    return Reconciler.DONE;
  }

  private boolean isUsed(StorageClaim claim) {
    String namespace = claim.metadata().namespace();
    return client.list(ResourceType.PODS, namespace, ListOptions.ALL).items().stream()
        .filter(pod -> !Json.textOr(pod, "", "spec", "nodeName").isEmpty())
        .anyMatch(pod -> uses(pod, claim));
  }

  private static boolean uses(ObjectNode pod, StorageClaim claim) {
    for (JsonNode volume : pod.path("spec").path("volumes")) {
      String named = Json.textOr(volume, "", "persistentVolumeClaim", "claimName");
      String made =
          volume.has("ephemeral")
              ? Json.textOr(pod, "", "metadata", "name") + "-" + Json.textOr(volume, "", "name")
              : "";
      if (claim.metadata().name().equals(named) || claim.metadata().name().equals(made)) {
        return true;
      }
    }
    return false;
  }
}
