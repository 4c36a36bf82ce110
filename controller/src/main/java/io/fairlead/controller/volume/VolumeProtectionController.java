package io.fairlead.controller.volume;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Keeps a volume that is bound to a claim though it was deleted, until the claim is gone.
public final class VolumeProtectionController implements Controller {
  private static final String NAME = "persistentvolume-protection-controller";
  private static final Finalizer FINALIZER =
      new Finalizer("kubernetes.io/pv-protection", StorageVolume.TYPE);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(5));

  private final Client client;
  private final Informer<StorageVolume> volumes;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  /// @param workers none in tests that own the time
  public VolumeProtectionController(ControllerContext wiring, int workers) {
    this.workers = workers;
    this.client = wiring.client();
    this.volumes = wiring.informers().of(StorageVolume.KIND);
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.loop = new ControllerLoop<>(NAME, queue, this::reconcile, List.of(volumes));
  }

  @Override
  public void start() {
    volumes.onChange(
        new EachChange<>(
            volume -> {
              if (volume.metadata().beingDeleted() == FINALIZER.isOn(volume.metadata())) {
                queue.add(volume.metadata().key());
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
    // Written with its version as a condition, so it must be the newest.
    Optional<ObjectNode> found = client.find(StorageVolume.TYPE, key);
    if (found.isEmpty()) {
      return Reconciler.DONE;
    }
    StorageVolume volume = StorageVolume.of(found.get());
    boolean guarded = FINALIZER.isOn(volume.metadata());
    if (!volume.metadata().beingDeleted()) {
      if (!guarded) {
        FINALIZER.add(client, found.get());
      }
    } else if (guarded && !Json.textOr(found.get(), "", "status", "phase").equals("Bound")) {
      FINALIZER.remove(client, found.get());
    }
    return Reconciler.DONE;
  }
}
