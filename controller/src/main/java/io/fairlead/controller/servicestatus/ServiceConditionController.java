package io.fairlead.controller.servicestatus;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePodIndex;
import io.fairlead.controller.serving.ServicePodInformer;
import io.fairlead.controller.serving.ServicePodListener;
import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Tells users of plain kubectl when a Service has pods and none of them serves: in the condition
/// `fairlead.dev/Serving` of its status, with the reason.
///
/// A Service that always worked is never written to. The bad news must have lasted a while, so that
/// pods that are starting cause none; the recovery after it is written at once. One worker, which
/// owns the times.
public final class ServiceConditionController implements Controller {
  private static final ResourceType TYPE = ResourceType.SERVICES;
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(5));
  private static final Duration STANDARD_PATIENCE = Duration.ofSeconds(10);
  private static final int FORBIDDEN = 403;

  private final Client client;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Duration patience;
  private final ServicePodInformer serving;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  // Since when none of a Service's pods serves; the worker's own.
  private final Map<ObjectKey, Long> failingSince = new HashMap<>();

  public ServiceConditionController(ControllerContext wiring) {
    this(wiring, STANDARD_PATIENCE);
  }

  /// @param patience how long bad news must have lasted
  ServiceConditionController(ControllerContext wiring, Duration patience) {
    this.client = wiring.client();
    this.clock = wiring.clock();
    this.ticker = wiring.pacing().ticker();
    this.patience = patience;
    this.serving = ServicePodInformer.of(wiring);
    this.queue = new WorkQueue<>(ticker, BACKOFF);
    this.loop =
        new ControllerLoop<>(
            "service-condition-controller", queue, this::reconcile, serving.needs());
  }

  @Override
  public void start() {
    serving.listen(new Changes());
    loop.start(1);
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
    ServicePodIndex catalog = serving.catalog();
    Optional<Service> found = catalog.service(key).filter(Service::selectsPods);
    if (found.isEmpty()) {
      failingSince.remove(key);
      return Reconciler.DONE;
    }
    Service service = found.get();
    ServingCondition condition = ServingCondition.of(service, catalog.members(key), catalog::node);
    boolean told = !service.toldServing().isEmpty();
    if (!condition.status().equals("False")) {
      failingSince.remove(key);
      if (told && !service.toldServing().equals(condition.status())) {
        say(key, condition);
      }
      return Reconciler.DONE;
    }
    if (service.toldServing().equals("False")) {
      return Reconciler.DONE;
    }
    long since = failingSince.computeIfAbsent(key, _ -> ticker.nanos());
    long left = since + patience.toNanos() - ticker.nanos();
    if (left > 0) {
      return new Reconciler.Result.Again(Duration.ofNanos(left));
    }
    say(key, condition);
    return Reconciler.DONE;
  }

  /// Sets the condition in the newest state of the Service and leaves those of others alone.
  private void say(ObjectKey key, ServingCondition condition) {
    Optional<ObjectNode> found = client.find(TYPE, key);
    if (found.isEmpty()) {
      return;
    }
    ObjectNode service = found.get();
    ObjectNode status = Json.child(service, "status");
    ArrayNode conditions = Json.array();
    for (JsonNode other : status.path("conditions")) {
      if (!Service.SERVING.equals(Json.text(other, "type"))) {
        conditions.add(other);
      }
    }
    conditions
        .addObject()
        .put("type", Service.SERVING)
        .put("status", condition.status())
        .put("lastTransitionTime", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
        .put("reason", condition.reason())
        .put("message", condition.message());
    status.set("conditions", conditions);
    try {
      client.update(TYPE, "status", service);
    } catch (ApiException e) {
      // Gone, or this cluster does not allow it: there is nothing to repeat.
      if (!ApiErrors.isNotFound(e) && e.status().code() != FORBIDDEN) {
        throw e;
      }
    }
  }

  private final class Changes implements ServicePodListener {
    @Override
    public void serviceChanged(ObjectKey service) {
      queue.add(service);
    }

    @Override
    public void podsChanged(Set<ObjectKey> services) {
      services.forEach(queue::add);
    }

    @Override
    public void nodeChanged(Set<ObjectKey> services) {
      services.forEach(queue::add);
    }
  }
}
