package io.fairlead.controller.endpointslice;

import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.runtime.ReadYourWrites;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePodIndex;
import io.fairlead.controller.serving.ServicePodInformer;
import io.fairlead.controller.serving.TriggerTimeTracker;
import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the EndpointSlices of every Service with a selector equal to the pods it selects.
///
/// A run looks at one Service: it waits until it sees what it wrote last, plans each family
/// ([FamilyPlan], pure) and writes the difference. Runs are caused by [Triggers]. A Service that
/// lost its selector loses its slices a moment later, when the component that publishes its
/// endpoints now has had time to do so: an address must be neither missing nor published by two
/// that disagree.
public final class EndpointSliceController implements Controller {
  static final InformerKind<Slice> SLICES =
      InformerKind.reading(ResourceType.ENDPOINT_SLICES, Slice::read)
          .indexedBy(
              "service",
              slice ->
                  slice.service().name().isEmpty()
                      ? List.of()
                      : List.of(slice.service().toString()));

  static final String COMPONENT = "endpoint-slice-controller";

  private static final Logger log = LoggerFactory.getLogger(EndpointSliceController.class);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1000));
  private static final int ATTEMPTS = 15;
  private static final Duration HANDOVER = Duration.ofSeconds(2);
  private static final Duration FOREIGN_CHANGE = Duration.ofSeconds(1);

  private final EndpointSliceOptions options;
  private final ServicePodInformer serving;
  private final ServicePodIndex catalog;
  private final Informer<Slice> slices;
  private final EventRecorder events;
  private final Ticker ticker;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final WorkQueue<String> topologyQueue;
  private final ControllerLoop<String> topologyLoop;
  private final ReadYourWrites<ObjectKey> freshness;
  private final EndpointSliceTracker ownWrites = new EndpointSliceTracker();
  private final TriggerTimeTracker triggerTimes = new TriggerTimeTracker();
  private final Batching.Clock batching;
  private final TopologyCache zones;
  private final SliceWriter writer;
  private final SliceMetrics metrics;
  // When a Service without a selector was first seen to have slices of ours.
  private final Map<ObjectKey, Long> handovers = new ConcurrentHashMap<>();

  public EndpointSliceController(ControllerContext wiring, EndpointSliceOptions options) {
    this.options = options;
    this.serving = ServicePodInformer.of(wiring);
    this.catalog = serving.catalog();
    this.slices = wiring.informers().of(SLICES);
    this.events = wiring.events(COMPONENT);
    this.ticker = wiring.pacing().ticker();
    this.queue = new WorkQueue<>(ticker, BACKOFF);
    this.topologyQueue = new WorkQueue<>(ticker, BACKOFF);
    this.freshness = new ReadYourWrites<>(slices, queue::add);
    this.batching = new Batching.Clock(options.batching(), ticker);
    this.zones = new TopologyCache(catalog);
    this.writer =
        new SliceWriter(wiring.client(), freshness, ownWrites, EndpointRecorder.of(wiring), ticker);
    this.metrics = new SliceMetrics(wiring.metrics());
    List<Informer<?>> needs = new ArrayList<>(serving.needs());
    needs.add(slices);
    this.loop = new ControllerLoop<>("endpointslice", queue, this::reconcile, needs, ATTEMPTS);
    this.topologyLoop =
        new ControllerLoop<>("endpointslice-zones", topologyQueue, this::reviewZones, needs);
  }

  @Override
  public void start() {
    Triggers triggers =
        new Triggers(queue, topologyQueue, batching, ownWrites, zones, FOREIGN_CHANGE);
    serving.listen(triggers.forServing());
    slices.onChange(triggers.forSlices());
    loop.start(options.workers());
    topologyLoop.start(1);
  }

  @Override
  public ControllerLoop<?> loop() {
    return loop;
  }

  @Override
  public boolean idle() {
    return freshness.idle() && queue.idle() && topologyQueue.idle();
  }

  @Override
  public void close() {
    loop.close();
    topologyLoop.close();
  }

  /// A node changed: the Services whose hints no longer fit the zones are looked at again.
  private Reconciler.Result reviewZones(String all) {
    zones.overloaded().forEach(queue::add);
    return Reconciler.DONE;
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    Optional<Service> found = catalog.service(key);
    if (found.isEmpty()) {
      forget(key);
      return Reconciler.DONE;
    }
    Service service = found.get();
    if (service.externalName()) {
      metrics.forget(key);
      return Reconciler.DONE;
    }
    if (!freshness.isFresh(key)) {
      metrics.stale();
      return Reconciler.DONE;
    }
    batching.ran(key);
    List<Slice> shown = ownWrites.present(key, slices.find("service", key.toString()));
    List<Slice> ours =
        shown.stream()
            .filter(slice -> slice.managedByUs() && !slice.metadata().beingDeleted())
            .toList();
    if (!service.selectsPods()) {
      return handOver(service, ours, shown.stream().anyMatch(slice -> !slice.managedByUs()));
    }
    handovers.remove(key);
    List<EndpointPod> pods = catalog.members(key);
    Optional<Instant> trigger = triggerTimes.next(service, pods);
    Set<String> problems = new LinkedHashSet<>();
    List<FamilyPlan> plans = new ArrayList<>();
    ownWrites.begin(key);
    try {
      for (Family family : service.servedFamilies()) {
        FamilyPlan plan = plan(service, family, pods, ours);
        plans.add(plan);
        problems.addAll(plan.problems());
        if (!write(plan, service, trigger, problems)) {
          return Reconciler.DONE;
        }
      }
      FamilyPlan removal = FamilyPlan.removal(unserved(service, ours));
      plans.add(removal);
      write(removal, service, Optional.empty(), problems);
    } finally {
      if (ownWrites.end(key)) {
        queue.addAfter(key, batching.atLeast(FOREIGN_CHANGE));
      }
    }
    metrics.synced(
        service,
        plans.stream().map(SliceChanges::of).reduce(SliceChanges.NONE, SliceChanges::plus),
        problems.isEmpty() ? SliceMetrics.Result.SUCCESS : SliceMetrics.Result.ERROR);
    return problems.isEmpty() ? Reconciler.DONE : failed(service, problems);
  }

  private FamilyPlan plan(
      Service service, Family family, List<EndpointPod> pods, List<Slice> ours) {
    List<Slice> present =
        ours.stream().filter(slice -> slice.addressType().equals(family.toString())).toList();
    boolean hinted = zones.hinted(service.key(), family);
    DesiredSliceEndpoints wanted = DesiredSliceEndpoints.of(service, family, pods, catalog::node);
    int most = options.maxEndpointsPerSlice();
    FamilyPlan plan =
        FamilyPlan.of(
            new FamilyPlan.Input(service, present, zones.shares(), hinted, most), family, wanted);
    zones.set(service.key(), family, plan.zones());
    plan.notices().forEach(notice -> tell(service, notice));
    int slicesAfter = present.size() + plan.creates().size() - plan.deletes().size();
    metrics.planned(service, family, wanted, slicesAfter, most);
    return plan;
  }

  /// False when the namespace is being deleted, and with it everything there is to do.
  private boolean write(
      FamilyPlan plan, Service service, Optional<Instant> trigger, Set<String> problems) {
    return switch (writer.write(plan, service, trigger)) {
      case SliceWriter.Outcome.Written() -> true;
      case SliceWriter.Outcome.NamespaceGoes() -> false;
      case SliceWriter.Outcome.Failed(String why) -> {
        problems.add(why);
        yield true;
      }
    };
  }

  private static List<Slice> unserved(Service service, List<Slice> ours) {
    List<String> served = service.servedFamilies().stream().map(Family::toString).toList();
    return ours.stream().filter(slice -> !served.contains(slice.addressType())).toList();
  }

  /// @param successor another component publishes endpoints of this Service
  private Reconciler.Result handOver(Service service, List<Slice> ours, boolean successor) {
    ObjectKey key = service.key();
    List<Slice> owned =
        ours.stream().filter(slice -> slice.ownedBy(service.metadata().uid())).toList();
    triggerTimes.forget(key);
    zones.forget(key);
    metrics.forget(key);
    if (owned.isEmpty()) {
      handovers.remove(key);
      return Reconciler.DONE;
    }
    long now = ticker.nanos();
    long since = handovers.computeIfAbsent(key, _ -> now);
    long left = HANDOVER.toNanos() - (now - since);
    if (!successor && left > 0) {
      return new Reconciler.Result.Again(Duration.ofNanos(left));
    }
    Set<String> problems = new LinkedHashSet<>();
    write(FamilyPlan.removal(owned), service, Optional.empty(), problems);
    if (problems.isEmpty()) {
      handovers.remove(key);
      return Reconciler.DONE;
    }
    return failed(service, problems);
  }

  private Reconciler.Result failed(Service service, Set<String> problems) {
    String why =
        problems.size() == 1 ? problems.iterator().next() : "[" + String.join(", ", problems) + "]";
    tell(
        service,
        new ServiceEvent(
            true,
            "FailedToUpdateEndpointSlices",
            "Error updating Endpoint Slices for Service " + service.key() + ": " + why));
    boolean again = queue.failures(service.key()) < ATTEMPTS;
    log.atInfo()
        .addKeyValue("service", service.key())
        .addKeyValue("why", why)
        .log(again ? "sync failed, retrying" : "sync failed too often, waiting for the next event");
    return again ? Reconciler.WAITING : Reconciler.DONE;
  }

  private void tell(Service service, ServiceEvent notice) {
    ObjectRef about = new ObjectRef(ResourceType.SERVICES, service.key(), service.metadata().uid());
    events.record(new ObjectEvent(about, notice.warning(), notice.reason(), notice.message()));
  }

  private void forget(ObjectKey key) {
    freshness.forget(key);
    ownWrites.forget(key);
    triggerTimes.forget(key);
    batching.forget(key);
    zones.forget(key);
    metrics.forget(key);
    handovers.remove(key);
  }
}
