package io.fairlead.controller.endpoints;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.events.Event;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.queue.WorkQueue;
import io.fairlead.client.time.Backoff;
import io.fairlead.controller.runtime.Bursts;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.Freshness;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.runtime.Wiring;
import io.fairlead.controller.serving.Catalog;
import io.fairlead.controller.serving.Pod;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.Serving;
import io.fairlead.controller.serving.ServingListener;
import io.fairlead.controller.serving.TriggerTimes;
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
/// The object of a Service that is gone is deleted, whoever made it. Changes of the objects
/// themselves are put right at the next look, deletions at once.
public final class EndpointsController implements Controller {
  private static final ResourceType TYPE = ResourceType.ENDPOINTS;
  private static final String COMPONENT = "endpoint-controller";
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));
  private static final int ATTEMPTS = 15;

  private final Client client;
  private final EventRecorder events;
  private final Serving serving;
  private final Informer<EndpointsObject> endpoints;
  private final int workers;
  private final WorkQueue<ObjectKey> queue;
  private final Bursts<ObjectKey> bursts;
  private final Freshness<ObjectKey> freshness;
  private final TriggerTimes triggers = new TriggerTimes();
  private final ControllerLoop<ObjectKey> loop;

  /// @param batchPeriod how long pod events that follow a run are gathered; see [Bursts]
  public EndpointsController(Wiring wiring, int workers, Duration batchPeriod) {
    this.client = wiring.client();
    this.events = wiring.events(COMPONENT);
    this.serving = Serving.of(wiring);
    this.endpoints = wiring.informers().of(EndpointsObject.KIND);
    this.workers = workers;
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.bursts = new Bursts<>(batchPeriod, wiring.pacing().ticker());
    this.freshness = new Freshness<>(endpoints, queue::add);
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
    Catalog catalog = serving.catalog();
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
      if (!Statuses.isNotFound(e)) {
        throw e;
      }
    }
  }

  private void publish(Service service, List<Pod> pods) {
    // Even when nothing is written: what has been looked at has been told.
    Optional<Instant> trigger = triggers.next(service, pods);
    Wanted wanted = Wanted.of(service, pods);
    Optional<EndpointsObject> present = endpoints.get(service.key());
    if (present.isPresent() && wanted.isIn(present.get())) {
      return;
    }
    try {
      write(service, wanted, present, trigger);
    } catch (ApiException e) {
      if (Statuses.isNamespaceTerminating(e)) {
        return;
      }
      boolean overtaken =
          Statuses.isConflict(e) || Statuses.isNotFound(e) || Statuses.isAlreadyExists(e);
      if (!overtaken) {
        tell(service, present.isPresent(), e);
      }
      Optional<Wanted> accepted = Refusal.without(wanted, e.status());
      if (accepted.isEmpty()) {
        throw e;
      }
      write(service, accepted.get(), present, trigger);
    }
  }

  private void write(
      Service service,
      Wanted wanted,
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
            ? Event.warning(
                about,
                "FailedToUpdateEndpoint",
                "Failed to update endpoint " + service.key() + ": " + e.getMessage())
            : Event.warning(
                about,
                "FailedToCreateEndpoint",
                "Failed to create endpoint for service " + service.key() + ": " + e.getMessage()));
  }

  private final class Changes implements ServingListener {
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

  /// Finds objects whose Service went while nobody looked, and those that somebody deleted.
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
