package io.fairlead.controller.servicecidr;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Says when a range of service addresses is ready, and lets one go only when none of its addresses
/// is in use any more. What is done is decided by [ServiceCidrAction].
///
/// Its informers are its own: no other controller reads IPAddresses, and a server that does not
/// have these kinds keeps no other controller waiting.
public final class ServiceCidrController implements Controller {
  private static final ResourceType TYPE = ResourceType.SERVICE_CIDRS;
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(5));

  private final Client client;
  private final InstantSource clock;
  private final Informer<ServiceCidr> ranges;
  private final Informer<AllocatedAddress> claims;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;

  public ServiceCidrController(Client client, InstantSource clock, TimingSources pacing) {
    this.client = client;
    this.clock = clock;
    this.queue = new WorkQueue<>(pacing.ticker(), BACKOFF);
    this.ranges =
        new Informer<>(ListWatchFactory.objects(client, TYPE, "", ""), ServiceCidr::of, pacing);
    this.claims =
        new Informer<>(
            ListWatchFactory.objects(client, ResourceType.IP_ADDRESSES, "", ""),
            AllocatedAddress::of,
            pacing);
    this.loop =
        new ControllerLoop<>("service-cidr", queue, this::reconcile, List.of(ranges, claims));
  }

  @Override
  public void start() {
    ranges.onChange(ChangeHandler.of(this::enqueue, this::enqueue));
    claims.onChange(ChangeHandler.of(_ -> {}, _ -> enqueueWaiting()));
    ranges.start();
    claims.start();
    loop.start(1);
  }

  @Override
  public ControllerLoop<ObjectKey> loop() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    ranges.close();
    claims.close();
  }

  /// A range that changes may also free another that overlaps it.
  private void enqueue(ServiceCidr range) {
    queue.add(range.metadata().key());
    enqueueWaiting();
  }

  private void enqueueWaiting() {
    for (ServiceCidr range : ranges.list()) {
      if (range.deletedAt().isPresent()) {
        queue.add(range.metadata().key());
      }
    }
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    // Written with its version as a condition, so it must be the newest.
    Optional<ObjectNode> found = client.find(TYPE, key);
    if (found.isEmpty()) {
      return Reconciler.DONE;
    }
    ObjectNode range = found.get();
    switch (ServiceCidrAction.of(
        ServiceCidr.of(range), ranges.list(), claims.list(), clock.instant())) {
      case ServiceCidrAction.Guard() -> {
        finalizers(range).add(ServiceCidr.FINALIZER);
        client.update(TYPE, range);
      }
      case ServiceCidrAction.MarkReady() ->
          say(range, "True", "", "Kubernetes Service CIDR is ready");
      case ServiceCidrAction.MarkTerminating(var inUse) ->
          say(
              range,
              "False",
              "Terminating",
              "There are still IPAddresses referencing the ServiceCIDR, please remove them or"
                  + " create a new ServiceCIDR: "
                  + inUse);
      case ServiceCidrAction.Later(var wait) -> {
        return new Reconciler.Result.Again(wait);
      }
      case ServiceCidrAction.Release() -> {
        ArrayNode kept = Json.array();
        for (JsonNode finalizer : finalizers(range)) {
          if (!finalizer.asString("").equals(ServiceCidr.FINALIZER)) {
            kept.add(finalizer);
          }
        }
        Json.child(range, "metadata").set("finalizers", kept);
        client.update(TYPE, range);
      }
      case ServiceCidrAction.Fine() -> {}
    }
    return Reconciler.DONE;
  }

  private static ArrayNode finalizers(ObjectNode object) {
    ObjectNode metadata = Json.child(object, "metadata");
    return metadata.path("finalizers") instanceof ArrayNode list
        ? list
        : metadata.putArray("finalizers");
  }

  /// Sets the condition and leaves those of others alone.
  private void say(ObjectNode range, String status, String reason, String message) {
    ObjectNode part = Json.child(range, "status");
    ArrayNode kept = Json.array();
    for (JsonNode condition : part.path("conditions")) {
      if (!Json.textOr(condition, "", "type").equals(ServiceCidr.READY)) {
        kept.add(condition);
      }
    }
    kept.addObject()
        .put("type", ServiceCidr.READY)
        .put("status", status)
        .put("lastTransitionTime", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
        .put("reason", reason)
        .put("message", message);
    part.set("conditions", kept);
    client.update(TYPE, "status", range);
  }
}
