package io.fairlead.controller.endpoints;

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
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.BurstRateLimiter;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.ReadYourWrites;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePodIndex;
import io.fairlead.controller.serving.ServicePodInformer;
import io.fairlead.controller.serving.ServicePodListener;
import io.fairlead.controller.serving.TriggerTimeTracker;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Keeps one Endpoints object for every Service with a selector: the addresses of its pods, ready
/// or not, by port.
///
/// The object of a Service that is gone is deleted, whichever client made it. Changes of the
/// objects themselves are put right at the next look, deletions at once.
public final class EndpointsController implements Controller {
  private static final ResourceType TYPE = ResourceType.ENDPOINTS;
  private static final String COMPONENT = "endpoint-controller";
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));
  private static final int ATTEMPTS = 15;

  private final Client client;
  private final EventRecorder events;
  private final ServicePodInformer serving;
  private final Informer<EndpointsObject> endpoints;
  private final int workers;
  private final WorkQueue<ObjectKey> queue;
  private final BurstRateLimiter<ObjectKey> bursts;
  private final ReadYourWrites<ObjectKey> freshness;
  private final TriggerTimeTracker triggers = new TriggerTimeTracker();
  private final ControllerLoop<ObjectKey> loop;

  /// @param batchPeriod how long pod events that follow a run are gathered; see [BurstRateLimiter]
  public EndpointsController(ControllerContext wiring, int workers, Duration batchPeriod) {
    this.client = wiring.client();
    this.events = wiring.events(COMPONENT);
    this.serving = ServicePodInformer.of(wiring);
    this.endpoints = wiring.informers().of(EndpointsObject.KIND);
    this.workers = workers;
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.bursts = new BurstRateLimiter<>(batchPeriod, wiring.pacing().ticker());
    this.freshness = new ReadYourWrites<>(endpoints, queue::add);
    List<Informer<?>> needs = new ArrayList<>(serving.needs());
    needs.add(endpoints);
    this.loop =
        new ControllerLoop<>("endpoints-controller", queue, this::reconcile, needs, ATTEMPTS);
  }

  @Override
  public void start() {
    serving.listen(new Changes());
    endpoints.onChange(new Leftovers());
    loop.start(workers);
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
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    if (!freshness.isFresh(key)) {
      return Reconciler.DONE; // comes back when it is
    }
    bursts.ran(key);
    ServicePodIndex catalog = serving.catalog();
    Optional<Service> service = catalog.service(key);
    if (service.isEmpty()) {
      delete(key);
    } else if (service.get().selectsPods()) {
      publish(service.get(), catalog.members(key));
    }
    return Reconciler.DONE;
  }

  private void delete(ObjectKey key) {
    if (client.findMetadata(ResourceType.SERVICES, key).isPresent()) {
      return; // our copy is behind; an event will tell
    }
    triggers.forget(key);
    bursts.forget(key);
    freshness.forget(key);
    try {
      client.delete(TYPE, key, DeleteOptions.DEFAULT);
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }

  private void publish(Service service, List<EndpointPod> pods) {
    // Even when nothing is written: what has been reconciled counts as published.
    Optional<Instant> trigger = triggers.next(service, pods);
    DesiredEndpoints wanted = DesiredEndpoints.of(service, pods);
    Optional<EndpointsObject> present = endpoints.get(service.key());
    if (present.isPresent() && wanted.isIn(present.get())) {
      return;
    }
    try {
      write(service, wanted, present, trigger);
    } catch (ApiException e) {
      if (ApiErrors.isNamespaceTerminating(e)) {
        return;
      }
      boolean overtaken =
          ApiErrors.isConflict(e) || ApiErrors.isNotFound(e) || ApiErrors.isAlreadyExists(e);
      if (!overtaken) {
        tell(service, present.isPresent(), e);
      }
      Optional<DesiredEndpoints> accepted = RejectedAddresses.without(wanted, e.status());
      if (accepted.isEmpty()) {
        throw e;
      }
      write(service, accepted.get(), present, trigger);
    }
  }

  private void write(
      Service service,
      DesiredEndpoints wanted,
      Optional<EndpointsObject> present,
      Optional<Instant> trigger) {
    ObjectNode object = wanted.object(service, present, trigger);
    ObjectNode written =
        present.isPresent()
            ? client.update(TYPE, object)
            : client.create(TYPE, service.key().namespace(), object);
    freshness.wrote(service.key(), Json.textOr(written, "", "metadata", "resourceVersion"));
  }

  private void tell(Service service, boolean existed, ApiException e) {
    ObjectRef about = new ObjectRef(ResourceType.SERVICES, service.key(), service.metadata().uid());
    events.record(
        existed
            ? ObjectEvent.warning(
                about,
                "FailedToUpdateEndpoint",
                "Failed to update endpoint " + service.key() + ": " + e.getMessage())
            : ObjectEvent.warning(
                about,
                "FailedToCreateEndpoint",
                "Failed to create endpoint for service " + service.key() + ": " + e.getMessage()));
  }

  private final class Changes implements ServicePodListener {
    @Override
    public void serviceChanged(ObjectKey service) {
      queue.add(service);
    }

    @Override
    public void podsChanged(Set<ObjectKey> services) {
      services.forEach(service -> queue.addAfter(service, bursts.delay(service)));
    }

    @Override
    public void nodeChanged(Set<ObjectKey> services) {}
  }

  /// Finds objects whose Service went while no controller ran, and those that were deleted.
  private final class Leftovers implements ChangeHandler<EndpointsObject> {
    @Override
    public void added(EndpointsObject object, boolean initial) {
      if (initial && !object.isElectionLock()) {
        queue.add(object.key());
      }
    }

    @Override
    public void updated(EndpointsObject old, EndpointsObject now) {}

    @Override
    public void deleted(EndpointsObject last, boolean finalStateUnknown) {
      if (serving.catalog().service(last.key()).isPresent()) {
        queue.add(last.key());
      }
    }
  }
}
