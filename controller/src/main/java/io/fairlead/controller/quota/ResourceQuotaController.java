package io.fairlead.controller.quota;

import io.fairlead.api.patch.JsonEquality;
import io.fairlead.api.quota.QuotaSubject;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the use of ResourceQuotas right. The server adds what new objects use while it stores
/// them; this controller gives back what is gone, and counts from the start where a quota is new.
///
/// A status is written only on the version it was computed for: the server may have charged another
/// object meanwhile.
public final class ResourceQuotaController implements Controller {
  private static final String NAME = "resourcequota-controller";
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));
  static final InformerKind<ApiObject> QUOTAS =
      InformerKind.of(ResourceType.RESOURCE_QUOTAS, ApiObject::of);

  private final Client client;
  private final Informer<ApiObject> quotas;
  private final List<Informer<CountedObject>> counted = new ArrayList<>();
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  public ResourceQuotaController(ControllerContext wiring, int workers) {
    this.workers = workers;
    this.client = wiring.client();
    this.quotas = wiring.informers().of(QUOTAS);
    CountedObject.KINDS.forEach(kind -> counted.add(wiring.informers().of(kind)));
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    List<Informer<?>> needs = new ArrayList<>(counted);
    needs.add(quotas);
    this.loop = new ControllerLoop<>(NAME, queue, this::reconcile, needs);
  }

  @Override
  public void start() {
    quotas.onChange(new EachChange<>(quota -> queue.add(quota.metadata().key())));
    counted.forEach(kind -> kind.onChange(new UsageChanges()));
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
    Optional<ApiObject> found = quotas.get(key);
    if (found.isEmpty() || found.get().metadata().beingDeleted()) {
      return Reconciler.DONE;
    }
    ObjectNode body = found.get().body();
    List<QuotaSubject> subjects = new ArrayList<>();
    for (Informer<CountedObject> kind : counted) {
      kind.find(CountedObject.BY_NAMESPACE, key.namespace())
          .forEach(one -> subjects.add(one.subject()));
    }
    ObjectNode status = QuotaStatus.of(body.path("spec"), subjects);
    if (JsonEquality.value(body.path("status"), status)) {
      return Reconciler.DONE;
    }
    ObjectNode changed = body.deepCopy();
    changed.set("status", status);
    try {
      client.update(ResourceType.RESOURCE_QUOTAS, "status", changed);
    } catch (ApiException e) {
      if (ApiErrors.isConflict(e)) {
        return Reconciler.WAITING;
      }
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
    return Reconciler.DONE;
  }

  private void changed(CountedObject object) {
    quotas.list().stream()
        .filter(quota -> quota.metadata().namespace().equals(object.metadata().namespace()))
        .forEach(quota -> queue.add(quota.metadata().key()));
  }

  /// What an object uses changes rarely: most of its changes are of no interest.
  private final class UsageChanges implements ChangeHandler<CountedObject> {
    @Override
    public void added(CountedObject object, boolean initial) {
      changed(object);
    }

    @Override
    public void updated(CountedObject old, CountedObject now) {
      if (!old.subject().equals(now.subject())) {
        changed(now);
      }
    }

    @Override
    public void deleted(CountedObject last, boolean finalStateUnknown) {
      changed(last);
    }
  }
}
