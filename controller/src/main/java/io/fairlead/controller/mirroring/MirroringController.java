package io.fairlead.controller.mirroring;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.endpoints.EndpointSubset;
import io.fairlead.controller.endpoints.EndpointsObject;
import io.fairlead.controller.runtime.BurstRateLimiter;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.ReadYourWrites;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.serving.ServicePodInformer;
import io.fairlead.controller.serving.ServicePodListener;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Copies Endpoints that users write by hand, for a Service without a selector, into slices, and
/// takes the slices away when that ends.
public final class MirroringController implements Controller {
  private static final ResourceType TYPE = ResourceType.ENDPOINT_SLICES;
  private static final String COMPONENT = "endpoint-slice-mirroring-controller";
  private static final String SKIP = "endpointslice.kubernetes.io/skip-mirror";
  private static final String BY_SERVICE = "service";
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(100));
  private static final int ATTEMPTS = 15;

  /// @param mostPerSubset how many addresses of one subset are copied
  /// @param batchPeriod how long events that follow a run are gathered; see [BurstRateLimiter]
  public record Settings(int workers, int mostPerSubset, Duration batchPeriod) {}

  private final Client client;
  private final EventRecorder events;
  private final ServicePodInformer serving;
  private final Settings settings;
  private final Informer<EndpointsObject> endpoints;
  private final Informer<MirroredSlice> slices;
  private final WorkQueue<ObjectKey> queue;
  private final BurstRateLimiter<ObjectKey> bursts;
  private final ReadYourWrites<ObjectKey> freshness;
  private final ControllerLoop<ObjectKey> loop;

  public MirroringController(ControllerContext wiring, Settings settings) {
    this.client = wiring.client();
    this.events = wiring.events(COMPONENT);
    this.serving = ServicePodInformer.of(wiring);
    this.settings = settings;
    this.endpoints = wiring.informers().of(EndpointsObject.KIND);
    this.slices =
        new Informer<>(
            ListWatchFactory.objects(
                client, TYPE, "", MirroredSlice.MANAGED_BY + "=" + MirroredSlice.MANAGER),
            MirroredSlice::of,
            wiring.pacing());
    slices.addIndex(BY_SERVICE, slice -> List.of(slice.service().toString()));
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.bursts = new BurstRateLimiter<>(settings.batchPeriod(), wiring.pacing().ticker());
    this.freshness = new ReadYourWrites<>(slices, queue::add);
    List<Informer<?>> needs = new ArrayList<>(serving.needs());
    needs.add(endpoints);
    needs.add(slices);
    this.loop =
        new ControllerLoop<>(
            "endpointslice-mirroring-controller", queue, this::reconcile, needs, ATTEMPTS);
  }

  @Override
  public void start() {
    serving.listen(new Services());
    endpoints.onChange(noting(EndpointsObject::key));
    slices.onChange(noting(MirroredSlice::service));
    slices.start();
    loop.start(settings.workers());
  }

  @Override
  public ControllerLoop<ObjectKey> loop() {
    return loop;
  }

  @Override
  public boolean idle() {
    return freshness.idle() && loop.idle();
  }

  @Override
  public void close() {
    loop.close();
    slices.close();
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    if (!freshness.isFresh(key)) {
      return Reconciler.DONE; // comes back when it is
    }
    bursts.ran(key);
    Optional<EndpointsObject> source = endpoints.get(key).filter(this::isMirrored);
    List<MirroredSlice> present = slices.find(BY_SERVICE, key.toString());
    if (source.isEmpty()) {
      bursts.forget(key);
      carryOut(key, MirrorPlan.none(present));
      return Reconciler.DONE;
    }
    MirroredEndpoints copies =
        MirroredEndpoints.of(subsets(source.get()), settings.mostPerSubset());
    tellLeftOut(source.get(), copies);
    try {
      carryOut(key, MirrorPlan.of(source.get(), copies, present));
    } catch (ApiException e) {
      if (ApiErrors.isNamespaceTerminating(e)) {
        return Reconciler.DONE;
      }
      tellFailure(source.get(), e);
      throw e;
    }
    return Reconciler.DONE;
  }

  private boolean isMirrored(EndpointsObject object) {
    return !"true".equals(object.metadata().labels().get(SKIP))
        && !object.isElectionLock()
        && serving
            .catalog()
            .service(object.key())
            .map(service -> service.selector().isEmpty())
            .orElse(false);
  }

  /// Those of an object that was written by the Endpoints controller, when its Service had a
  /// selector still, are not in our copy.
  private List<EndpointSubset> subsets(EndpointsObject object) {
    return object
        .byHand()
        .orElseGet(() -> EndpointSubset.listOf(client.get(ResourceType.ENDPOINTS, object.key())));
  }

  private void carryOut(ObjectKey key, MirrorPlan plan) {
    for (ObjectNode slice : plan.creates()) {
      wrote(key, client.create(TYPE, key.namespace(), slice));
    }
    for (ObjectNode slice : plan.updates()) {
      wrote(key, client.update(TYPE, slice));
    }
    for (MirroredSlice slice : plan.deletes()) {
      try {
        client.delete(
            TYPE, slice.metadata().key(), DeleteOptions.DEFAULT.onlyUid(slice.metadata().uid()));
      } catch (ApiException e) {
        if (!ApiErrors.isNotFound(e)) {
          throw e;
        }
      }
    }
  }

  private void wrote(ObjectKey key, ObjectNode answer) {
    freshness.wrote(key, Json.textOr(answer, "", "metadata", "resourceVersion"));
  }

  private void tellLeftOut(EndpointsObject object, MirroredEndpoints copies) {
    if (copies.invalid() > 0) {
      warn(
          object,
          "InvalidIPAddress",
          "Skipped " + copies.invalid() + " invalid IP addresses when mirroring to EndpointSlices");
    }
    if (copies.skipped() > 0) {
      warn(
          object,
          "TooManyAddressesToMirror",
          "A max of "
              + settings.mostPerSubset()
              + " addresses can be mirrored to EndpointSlices per Endpoints subset. "
              + copies.skipped()
              + " addresses were skipped");
    }
  }

  private void tellFailure(EndpointsObject object, ApiException e) {
    boolean overtaken =
        ApiErrors.isConflict(e) || ApiErrors.isNotFound(e) || ApiErrors.isAlreadyExists(e);
    if (!overtaken) {
      warn(
          object,
          "FailedToUpdateEndpointSlices",
          "Error updating Endpoint Slices for Endpoints " + object.key() + ": " + e.getMessage());
    }
  }

  private void warn(EndpointsObject object, String reason, String message) {
    events.record(
        ObjectEvent.warning(
            new ObjectRef(ResourceType.ENDPOINTS, object.key(), object.metadata().uid()),
            reason,
            message));
  }

  private final class Services implements ServicePodListener {
    @Override
    public void serviceChanged(ObjectKey service) {
      queue.add(service);
    }

    @Override
    public void podsChanged(Set<ObjectKey> services) {}

    @Override
    public void nodeChanged(Set<ObjectKey> services) {}
  }

  private <T> ChangeHandler<T> noting(Function<T, ObjectKey> key) {
    return new ChangeHandler<>() {
      private void note(ObjectKey noted) {
        queue.addAfter(noted, bursts.delay(noted));
      }

      @Override
      public void added(T object, boolean initial) {
        note(key.apply(object));
      }

      @Override
      public void updated(T old, T now) {
        // A slice may have been given to another Service.
        note(key.apply(old));
        note(key.apply(now));
      }

      @Override
      public void deleted(T last, boolean finalStateUnknown) {
        note(key.apply(last));
      }
    };
  }
}
