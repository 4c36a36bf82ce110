package io.fairlead.controller.loadbalancer;

import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ApiObject;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Service;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.runtime.ReadYourWrites;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Gives Services of type LoadBalancer addresses from pools, and takes them back.
///
/// How it works: [BalancerAddressTable] decides in memory; this controller reads the objects,
/// writes the finalizer and the status, in one write, and tells of it in events. Nothing is
/// allocated before the pools and all Services are known and the addresses in their statuses are
/// claimed. What is unchanged is not written.
///
/// Several workers; the table has its own lock, and of one Service only one worker writes.
public final class ServiceLoadBalancerController implements Controller {
  public static final String NAME = "service-lb-controller";

  private static final Duration PUBLISH_AGAIN = Duration.ofSeconds(30);

  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(5));

  /// Keys of work that belongs to no Service: no object has an empty name.
  private static final ObjectKey POOLS = new ObjectKey("", "pools");

  private static final ObjectKey WAKE = new ObjectKey("", "wake");

  private static final ObjectKey ANNOUNCEMENTS = new ObjectKey("", "announcements");

  private static final InformerKind<ApiObject> NAMESPACES =
      InformerKind.of(ResourceType.NAMESPACES, ApiObject::of);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

  private final LoadBalancerOptions options;
  private final Ticker ticker;
  private final AllocationEvents tell;
  private final Informer<BalancedService> services;
  private final Informer<ApiObject> namespaces;
  private final LoadBalancerPoolSource source;
  private final BalancerAddressTable table;
  private final @Nullable NodeAddressTable nodeTable;
  private final AnnouncementMonitor monitor;
  private final ReadyConditions conditions;
  private final LoadBalancerWriter writer;
  private final AddressWithdrawal withdrawal;
  private final PublishedPools published;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final ReadYourWrites<ObjectKey> ownWrites;
  private final int workers;
  // Set once, when every address in use is claimed.
  private volatile boolean claimed;

  /// @param workers 0 for tests that run it by hand
  public ServiceLoadBalancerController(
      ControllerContext wiring, LoadBalancerOptions options, int workers) {
    this.options = options;
    this.ticker = wiring.pacing().ticker();
    EventRecorder events = wiring.events(NAME);
    this.services = wiring.informers().of(BalancedService.KIND);
    this.tell = new AllocationEvents(events, services::get);
    this.namespaces = wiring.informers().of(NAMESPACES);
    this.source = new LoadBalancerPoolSource(wiring, events, options);
    InstantSource clock = wiring.clock();
    this.table = new BalancerAddressTable(nanos -> TIME.format(clock.instant().plusNanos(nanos)));
    this.nodeTable = options.nodes().map(NodeAddressTable::new).orElse(null);
    this.writer = new LoadBalancerWriter(wiring.client(), clock);
    this.withdrawal = new AddressWithdrawal(wiring.client(), ticker);
    this.published = new PublishedPools(wiring.client());
    this.queue = new WorkQueue<>(ticker, BACKOFF);
    this.ownWrites = new ReadYourWrites<>(services, queue::add);
    this.monitor = new AnnouncementMonitor(wiring, () -> queue.add(ANNOUNCEMENTS));
    this.conditions = new ReadyConditions(monitor, tell, writer, ticker);
    List<Informer<?>> needs = new ArrayList<>(source.needs());
    needs.add(services);
    needs.add(namespaces);
    this.loop = new ControllerLoop<>(NAME, queue, this::reconcile, needs);
    this.workers = workers;
    LoadBalancerMetrics.register(table, wiring.metrics());
  }

  @Override
  public void start() {
    services.onChange(new EachChange<>(service -> changed(service.key())));
    namespaces.onChange(
        new EachChange<>(
            _ -> {
              if (claimed && !table.pools().isEmpty()) {
                queue.addAfter(WAKE, Duration.ofMillis(100));
              }
            }));
    source.start(() -> queue.add(POOLS));
    queue.add(POOLS);
    loop.start(workers);
  }

  @Override
  public ControllerLoop<ObjectKey> loop() {
    return loop;
  }

  @Override
  public boolean idle() {
    return loop.idle() && ownWrites.idle();
  }

  @Override
  public void close() {
    loop.close();
    source.close();
    monitor.close();
  }

  Informer<ApiObject> configMaps() {
    return source.configMaps();
  }

  /// Before everything is claimed only the pools are looked at; all Services follow them.
  private void changed(ObjectKey service) {
    if (claimed) {
      queue.add(service);
    }
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    Reconciler.Result result;
    if (key.equals(POOLS)) {
      result = readPools();
    } else if (key.equals(WAKE)) {
      result = Reconciler.DONE;
    } else if (key.equals(ANNOUNCEMENTS)) {
      result = lookAtAnnouncements();
    } else {
      result = reconcileService(key);
    }
    if (claimed) {
      table.wake(ticker.nanos()).forEach(queue::add);
      table.nextRest(ticker.nanos()).ifPresent(left -> queue.addAfter(WAKE, left));
    }
    return result;
  }

  private Reconciler.Result lookAtAnnouncements() {
    for (IpAddress address : monitor.changes()) {
      table.holdersOf(address).forEach(this::changed);
    }
    // An announcer that has died says nothing any more.
    return new Reconciler.Result.Again(AnnouncementMonitor.LOOK);
  }

  private Reconciler.Result readPools() {
    boolean hadPools = !table.pools().isEmpty();
    LoadBalancerPools now = source.read(published.inForce());
    table.pools(now, source.contested()).forEach(this::changed);
    if (nodeTable != null) {
      nodeTable.addresses(source.nodes()).forEach(this::changed);
    }
    if (monitor.follow(table.pools())) {
      queue.addAfter(ANNOUNCEMENTS, AnnouncementMonitor.LOOK);
    }
    if (!published.publish(table.pools())) {
      queue.addAfter(POOLS, PUBLISH_AGAIN);
    }
    if (claimed && !hadPools && !table.pools().isEmpty()) {
      services.list().forEach(service -> queue.add(service.key()));
    }
    if (!claimed) {
      services.list().stream().filter(this::isOurs).sorted().forEach(this::claim);
      claimed = true;
      services.list().forEach(service -> queue.add(service.key()));
    }
    return Reconciler.DONE;
  }

  private void claim(BalancedService service) {
    if (!usesNodes(service)) {
      table.claim(service, labels(service));
    } else if (nodeTable != null && !service.ingress().isEmpty()) {
      AddressAllocation _ = nodeTable.allocate(service);
    }
  }

  /// Whether it gets the nodes' own addresses: it asks for no others.
  private boolean usesNodes(BalancedService service) {
    if (nodeTable == null) {
      return false;
    }
    AddressRequest request = AddressRequest.of(service);
    return request.problem() == null
        && request.addresses().isEmpty()
        && (request.pool().isEmpty() || request.pool().equals(NodeAddressPool.NAME));
  }

  private AddressAllocation allocate(BalancedService service) {
    if (nodeTable != null) {
      if (usesNodes(service)) {
        table.release(service.key(), ticker.nanos());
        return nodeTable.allocate(service);
      }
      nodeTable.release(service.key()).forEach(queue::add);
    }
    return table.allocate(service, labels(service), ticker.nanos());
  }

  /// Without any pool a Service that names no class is left to other balancers.
  private boolean isOurs(BalancedService service) {
    boolean isDefault =
        options.isDefault()
            && (!table.pools().isEmpty()
                || nodeTable != null
                || !service.allocatedFrom().isEmpty()
                || table.knows(service.key()));
    return service.wants(LoadBalancerOptions.CLASS, isDefault)
        && !service.metadata().beingDeleted();
  }

  private Map<String, String> labels(BalancedService service) {
    return namespaces
        .get(new ObjectKey("", service.key().namespace()))
        .map(namespace -> namespace.metadata().labels())
        .orElse(Map.of());
  }

  private Reconciler.Result reconcileService(ObjectKey key) {
    Optional<BalancedService> found = services.get(key);
    if (found.isEmpty()) {
      forget(key);
      ownWrites.forget(key);
      return Reconciler.DONE;
    }
    BalancedService service = found.get();
    if (!ownWrites.isFresh(key)) {
      return Reconciler.DONE;
    }
    try {
      if (isOurs(service)) {
        return serve(service);
      }
      boolean served =
          !service.allocatedFrom().isEmpty()
              || table.knows(key)
              || (nodeTable != null && nodeTable.knows(key));
      if (served && service.hasFinalizer()) {
        return takeBack(service);
      }
      forget(key);
      return Reconciler.DONE;
    } catch (ApiException e) {
      if (ApiErrors.isNotFound(e)) {
        return Reconciler.DONE;
      }
      if (ApiErrors.isConflict(e)) {
        return Reconciler.WAITING;
      }
      tell.warning(service, "SyncLoadBalancerFailed", String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private void forget(ObjectKey key) {
    table.release(key, ticker.nanos());
    if (nodeTable != null) {
      nodeTable.release(key).forEach(queue::add);
    }
    conditions.forget(key);
    withdrawal.forget(key);
  }

  private Reconciler.Result serve(BalancedService service) {
    AddressAllocation now = allocate(service);
    now.affected().forEach(queue::add);
    tell.conflicts(service, now);
    String version = service.metadata().resourceVersion();
    boolean differs = !shows(service, now.addresses());
    boolean keep = !now.addresses().isEmpty() && !isKept(service, now);
    if (keep && differs) {
      tell.normal(service, "EnsuringLoadBalancer", "Ensuring load balancer");
    }
    ReadyConditions.Verdict verdict = conditions.judge(service, now, table.pools());
    V1Condition condition = verdict.condition();
    if (keep && !differs && condition == null) {
      wrote(service, writer.keep(service, version, now.pools()));
    } else if (keep) {
      wrote(service, writer.give(service, now.pools(), now.addresses(), condition));
    } else if (differs || condition != null) {
      wrote(service, writer.status(service, version, now.addresses(), condition));
    }
    if (differs && !now.addresses().isEmpty()) {
      tell.ensured(service, now);
    }
    tell.outside(service, now);
    return verdict
        .again()
        .<Reconciler.Result>map(Reconciler.Result.Again::new)
        .orElse(Reconciler.DONE);
  }

  /// Whether it has the finalizer and says which pools its addresses are from.
  private static boolean isKept(BalancedService service, AddressAllocation now) {
    String pools = String.join(",", now.pools());
    return service.hasFinalizer() && (pools.isEmpty() || pools.equals(service.allocatedFrom()));
  }

  /// Whether the status says exactly these.
  private static boolean shows(BalancedService service, List<IpAddress> addresses) {
    List<V1Service.Ingress> ingress = service.ingress();
    if (ingress.size() != addresses.size()) {
      return false;
    }
    for (int i = 0; i < ingress.size(); i++) {
      if (!addresses.get(i).equals(IpAddress.parseOrNull(ingress.get(i).ip()))
          || !ingress.get(i).hostname().isEmpty()
          || !ingress.get(i).ipMode().equals("VIP")) {
        return false;
      }
    }
    return true;
  }

  private Reconciler.Result takeBack(BalancedService service) {
    List<IpAddress> addresses = table.held(service.key());
    if (withdrawal.begin(service.key())) {
      tell.normal(service, "DeletingLoadBalancer", "Deleting load balancer");
    }
    String version = service.metadata().resourceVersion();
    if (!service.ingress().isEmpty()) {
      version = wrote(service, writer.status(service, version, List.of(), null));
    }
    List<IpAddress> announced =
        addresses.stream()
            .filter(address -> !table.isShared(address))
            .filter(
                address ->
                    table
                        .pools()
                        .of(address)
                        .filter(pool -> pool.announcement() == Announcement.L2)
                        .isPresent())
            .toList();
    Optional<Duration> wait = withdrawal.wait(service.key(), announced);
    if (wait.isPresent()) {
      return new Reconciler.Result.Again(wait.get());
    }
    writer.letGo(service, version);
    forget(service.key());
    tell.normal(service, "DeletedLoadBalancer", "Deleted load balancer");
    return Reconciler.DONE;
  }

  private String wrote(BalancedService service, String version) {
    ownWrites.wrote(service.key(), version);
    return version;
  }
}
