package io.fairlead.controller.volume;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Binds claims to volumes that were made by hand, and says what state both are in.
///
/// How it works: a volume is bound in four writes, each of which can be repeated: the volume names
/// the claim, its status says so, the claim names the volume, its status says so. The first
/// decides: it names the version of the volume it saw free, so two claims never get one volume.
///
/// Volumes are not made for claims, and what is in one whose claim is gone is never deleted: such a
/// volume stays `Released`, or becomes `Failed` when its policy asks for more. One worker, for one
/// claim's choice depends on those of others.
public final class PersistentVolumeController implements Controller {
  private static final String NAME = "persistentvolume-binder-controller";
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

  private final Client client;
  private final InstantSource clock;
  private final EventRecorder events;
  private final Informer<StorageVolume> volumes;
  private final Informer<StorageClaim> claims;
  private final StatusWriter volumeStatuses;
  private final StatusWriter claimStatuses;
  // Claims by namespace and name; volumes by a key without a namespace.
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  /// @param workers none in tests that own the time
  public PersistentVolumeController(ControllerContext wiring, int workers) {
    this.workers = Math.min(1, workers);
    this.client = wiring.client();
    this.clock = wiring.clock();
    this.events = wiring.events(NAME);
    this.volumes = wiring.informers().of(StorageVolume.KIND);
    this.claims = wiring.informers().of(StorageClaim.KIND);
    this.volumeStatuses = new StatusWriter(client, StorageVolume.TYPE);
    this.claimStatuses = new StatusWriter(client, StorageClaim.TYPE);
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.loop = new ControllerLoop<>(NAME, queue, this::reconcile, List.of(volumes, claims));
  }

  @Override
  public void start() {
    volumes.onChange(
        new EachChange<>(
            volume -> {
              queue.add(new ObjectKey("", volume.metadata().name()));
              volume.claim().ifPresent(queue::add);
              claims.list().stream()
                  .filter(claim -> !claim.bindCompleted())
                  .forEach(claim -> queue.add(claim.metadata().key()));
            }));
    claims.onChange(
        new EachChange<>(
            claim -> {
              queue.add(claim.metadata().key());
              if (!claim.volumeName().isEmpty()) {
                queue.add(new ObjectKey("", claim.volumeName()));
              }
            }));
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
    if (key.namespace().isEmpty()) {
      volumes.get(key).ifPresent(this::volume);
    } else {
      claims.get(key).filter(claim -> !claim.metadata().beingDeleted()).ifPresent(this::claim);
    }
    return Reconciler.DONE;
  }

  /// Says what state a volume is in that no claim is about to get.
  private void volume(StorageVolume volume) {
    if (volume.claim().isEmpty()) {
      phase(volume, "Available", "");
      return;
    }
    Optional<StorageClaim> claim = claims.get(volume.claim().get());
    if (claim.filter(volume::isFor).isPresent()) {
      return; // the claim's run says it
    }
    if (volume.claimUid().isEmpty()) {
      phase(volume, "Available", ""); // kept for a claim that is still to come
      return;
    }
    String policy = Json.textOr(volume.spec(), "Retain", "persistentVolumeReclaimPolicy");
    if (policy.equals("Retain")) {
      phase(volume, "Released", "");
    } else {
      phase(
          volume,
          "Failed",
          "nothing here deletes or recycles what is in a volume: policy " + policy);
    }
  }

  private void phase(StorageVolume volume, String phase, String message) {
    ObjectNode status = StatusWriter.copy(volume.object());
    if (!Json.textOr(status, "", "phase").equals(phase)) {
      status.put("lastPhaseTransitionTime", Rfc3339Times.text(clock.instant()));
    }
    status.put("phase", phase);
    if (message.isEmpty()) {
      status.remove("message");
    } else {
      status.put("message", message);
    }
    volumeStatuses.write(volume.object(), status);
  }

  private void claim(StorageClaim claim) {
    if (claim.bindCompleted()) {
      bound(claim);
      return;
    }
    Optional<StorageVolume> chosen = StorageVolume.choose(claim, volumes.list());
    if (chosen.isEmpty()) {
      tell(
          claim,
          "FailedBinding",
          "no persistent volumes available for this claim and no storage class is set");
      phase(claim.object(), "Pending", Optional.empty());
      return;
    }
    bind(claim, chosen.get());
  }

  private void bound(StorageClaim claim) {
    Optional<StorageVolume> volume =
        volumes.get(new ObjectKey("", claim.volumeName())).filter(one -> one.isFor(claim));
    if (volume.isEmpty()) {
      phase(claim.object(), "Lost", Optional.empty());
      return;
    }
    phase(volume.get(), "Bound", "");
    phase(claim.object(), "Bound", volume);
  }

  private void bind(StorageClaim claim, StorageVolume chosen) {
    StorageVolume volume = chosen;
    if (!volume.claimUid().equals(claim.metadata().uid())) {
      ObjectNode body = volume.object().body().deepCopy();
      if (volume.claim().isEmpty()) {
        annotations(body).put(StorageClaim.BOUND_BY_CONTROLLER, "yes");
      }
      Json.child(body, "spec").set("claimRef", claim.reference());
      volume = StorageVolume.of(client.update(StorageVolume.TYPE, body));
    }
    phase(volume, "Bound", "");
    ObjectNode body = claim.object().body().deepCopy();
    if (claim.volumeName().isEmpty()) {
      annotations(body).put(StorageClaim.BOUND_BY_CONTROLLER, "yes");
    }
    annotations(body).put(StorageClaim.BIND_COMPLETED, "yes");
    Json.child(body, "spec").put("volumeName", volume.metadata().name());
    ApiObject stored = ApiObject.of(client.update(StorageClaim.TYPE, body));
    phase(stored, "Bound", Optional.of(volume));
  }

  private static ObjectNode annotations(ObjectNode body) {
    return Json.child(Json.child(body, "metadata"), "annotations");
  }

  private void phase(ApiObject claim, String phase, Optional<StorageVolume> volume) {
    ObjectNode status = StatusWriter.copy(claim);
    status.put("phase", phase);
    volume.ifPresent(
        one -> {
          status.set("accessModes", one.spec().path("accessModes"));
          status.set("capacity", one.spec().path("capacity"));
        });
    claimStatuses.write(claim, status);
  }

  private void tell(StorageClaim claim, String reason, String message) {
    ObjectRef about =
        new ObjectRef(StorageClaim.TYPE, claim.metadata().key(), claim.metadata().uid());
    events.record(new ObjectEvent(about, false, reason, message));
  }
}
