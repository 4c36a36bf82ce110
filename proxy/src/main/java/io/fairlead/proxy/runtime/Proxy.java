package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.events.Event;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Versions;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.conntrack.ConntrackWorker;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.health.ProxyHealth;
import io.fairlead.proxy.health.ServiceHealth;
import io.fairlead.proxy.metrics.ProxyMetrics;
import io.fairlead.proxy.node.NodeObject;
import io.fairlead.proxy.node.NodeSettings;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The running proxy of a node: follows the API, keeps a plan for each family, has it carried out,
/// and tells how it goes. Closing it leaves the rules in place.
public final class Proxy implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Proxy.class);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final int NODE_TRIES = 30;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration NODE_PAUSE = Duration.ofSeconds(1);

  private final ProxyConfiguration configuration;
  private final Surroundings surroundings;
  private final ProxyMetrics metrics = new ProxyMetrics();
  private final ProxyHealth health;
  private final Watches watches;
  private final EventRecorder events;
  private final ConntrackWorker conntrack;
  private final Servers servers;
  private final Reporter reporter;
  private final Optional<StandingKeeper> keeper;
  private final Map<IpAddress.Family, Planner> planners = new EnumMap<>(IpAddress.Family.class);
  private final Map<IpAddress.Family, SyncLoop> loops = new EnumMap<>(IpAddress.Family.class);
  private final AtomicBoolean running = new AtomicBoolean();
  private final AtomicBoolean watchesRanges = new AtomicBoolean();
  private final FirstRules firstRules;

  /// The newest version of a slice with an endpoint on its way out that was not told of, by family.
  private final Map<IpAddress.Family, String> draining = new ConcurrentHashMap<>();

  private volatile String mode;
  private final List<Warning> warnings = new ArrayList<>();
  private @Nullable ServiceHealth serviceHealth;

  private record Warning(String reason, String message) {}

  public Proxy(ProxyConfiguration configuration, Surroundings surroundings) {
    this(
        configuration, surroundings, new ServiceFeed(surroundings.client(), surroundings.pacing()));
  }

  /// @param feed may have been started; is closed with the proxy
  public Proxy(ProxyConfiguration configuration, Surroundings surroundings, ServiceFeed feed) {
    this.configuration = configuration;
    this.surroundings = surroundings;
    this.mode = surroundings.mode();
    this.health =
        new ProxyHealth(
            surroundings.clock(),
            configuration.time(surroundings.mode(), "syncPeriod").multipliedBy(2));
    this.watches =
        new Watches(surroundings.client(), surroundings.nodeName(), surroundings.pacing(), feed);
    this.events =
        new EventRecorder(
            surroundings.client(),
            "kube-proxy",
            surroundings.clock(),
            surroundings.pacing().ticker());
    this.conntrack =
        new ConntrackWorker(surroundings.flows(), metrics, surroundings.pacing().ticker());
    this.firstRules = new FirstRules(surroundings.planes().keySet(), surroundings.whenWritten());
    this.servers = new Servers(configuration, this::mode, health, metrics, this::dump);
    this.reporter =
        new Reporter(surroundings.client(), surroundings.nodeName(), surroundings.clock(), loops);
    this.keeper =
        surroundings
            .standing()
            .map(
                standing ->
                    new StandingKeeper(
                        standing,
                        this::mode,
                        watches,
                        loops,
                        health,
                        surroundings.pacing().pacer()));
  }

  /// Has something told as an event of the Node, once it is known. To be called before the start.
  public void warn(String reason, String message) {
    warnings.add(new Warning(reason, message));
  }

  /// Starts everything. Returns when rules for the whole state of the API are on their way; waits
  /// for the API as long as it takes, with the rules of an earlier process left alone.
  public void start() throws InterruptedException {
    servers.start(surroundings.pacing().pacer(), this::tellNode);
    watches.startNode();
    if (keeper.isEmpty() || !keeper.get().hasNote()) {
      // All at once: what the Node says is not needed to read the rest.
      watches.startFeed();
    }
    watches.ask(usesRanges());
    NodeObject node = awaitNode();
    // Once only: with another node name every endpoint would count as remote.
    log.atInfo()
        .addKeyValue("node", surroundings.nodeName())
        .addKeyValue("mode", surroundings.mode())
        .addKeyValue("families", surroundings.planes().keySet())
        .log("starting the service proxy");
    events.record(Event.normal(nodeRef(), "Starting", ""));
    warnings.forEach(warning -> tellNode(warning.reason, warning.message));
    watchRanges();
    NodeSettings settings = settings();
    serviceHealth = serviceHealth(settings, node);
    surroundings.planes().forEach((family, plane) -> prepare(family, plane, settings, node));
    if (keeper.isPresent() && keeper.get().stands()) {
      log.atInfo().log("nothing has changed since the last process: its rules are right");
      loops.keySet().forEach(health::stands);
    }
    watches.startFeed();
    watches.services().onChange(ChangeHandler.of(this::put, s -> gone(s.metadata().key())));
    watches.slices().onChange(ChangeHandler.of(this::put, s -> goneSlice(s.metadata().key())));
    watches.services().awaitSync();
    watches.slices().awaitSync();
    running.set(true);
    loops.values().forEach(SyncLoop::start);
    reporter.start();
    keeper.ifPresent(StandingKeeper::start);
    watches.nodes().onChange(ChangeHandler.of(this::nodeChanged, _ -> nodeGone()));
    watches.ranges().onChange(ChangeHandler.of(_ -> refreshNode(), _ -> refreshNode()));
  }

  /// The ranges of cluster IPs matter to modes that answer for unused addresses.
  private void watchRanges() {
    if (usesRanges() && watchesRanges.compareAndSet(false, true)) {
      watches.ranges().start();
    }
  }

  private boolean usesRanges() {
    return !mode.equals("iptables");
  }

  /// The mode traffic is carried in now.
  public String mode() {
    return mode;
  }

  /// What carries out plans now, by family.
  public Map<IpAddress.Family, DataPlane> planes() {
    Map<IpAddress.Family, DataPlane> planes = new EnumMap<>(IpAddress.Family.class);
    loops.forEach((family, loop) -> planes.put(family, loop.plane()));
    return planes;
  }

  /// Goes on in another mode. Its rules are all written before any of the former mode's go, so that
  /// every packet meets one or the other. Throws [io.fairlead.proxy.core.DataPlaneException] when
  /// the new mode cannot be had; then nothing has changed.
  ///
  /// @param planes of the new mode, one for each family; the proxy closes them
  /// @param between runs when the new rules are there, and before the old ones go
  /// @return what of the former mode could not be taken away; empty when all was
  public synchronized List<String> change(
      String to, Map<IpAddress.Family, DataPlane> planes, Runnable between) {
    // What the start takes away of other modes must not be what is written now.
    firstRules.forgetOrAwait();
    NodeSettings settings = settings(to);
    NodeObject node = node().orElse(null);
    return new Exchange(loops, mode, to, surroundings.pacing().pacer())
        .run(
            planes,
            family -> settings.facts(family, node, watches.serviceCidrs()),
            between,
            () -> nowIn(to));
  }

  private void nowIn(String other) {
    mode = other;
    watchRanges();
    refreshNode();
  }

  private NodeSettings settings() {
    return settings(mode);
  }

  private NodeSettings settings(String ofMode) {
    return new NodeSettings(
        configuration, ofMode, surroundings.nodeName(), surroundings.localAddresses());
  }

  private void prepare(
      IpAddress.Family family, DataPlane plane, NodeSettings settings, @Nullable NodeObject node) {
    NodeFacts facts = settings.facts(family, node, watches.serviceCidrs());
    Planner planner = new Planner(facts, surroundings.clock().instant());
    planners.put(family, planner);
    LocalGaps gaps = new LocalGaps();
    SyncLoop.Parts parts =
        new SyncLoop.Parts(
            surroundings.mode(),
            planner,
            plane,
            new Cadence(
                configuration.time(surroundings.mode(), "minSyncPeriod"),
                configuration.time(surroundings.mode(), "syncPeriod"),
                longest(surroundings.mode())),
            health,
            metrics,
            surroundings.clock(),
            surroundings.pacing().ticker(),
            this::longest,
            (plan, diff) -> applied(family, diff, gaps),
            () -> firstRules.tried(family, false));
    loops.put(family, new SyncLoop(family, Plan.empty(facts), parts));
  }

  /// Nobody tells when sets or virtual servers change.
  private Duration longest(String ofMode) {
    return ofMode.equals("ipvs") ? configuration.time(ofMode, "syncPeriod") : LONGEST;
  }

  /// Waits up to half a minute for the Node to have addresses; goes on without it then.
  private @Nullable NodeObject awaitNode() throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    for (int i = 0; i < NODE_TRIES; i++) {
      Optional<NodeObject> node = node();
      if (node.isPresent() && !node.get().addresses().isEmpty()) {
        health.eligible(node.get().eligible());
        return node.get();
      }
      if (watches.nodes().hasSynced() && node.isEmpty()) {
        break;
      }
      surroundings.pacing().pacer().pause(pause);
      pause = pause.multipliedBy(2).compareTo(NODE_PAUSE) < 0 ? pause.multipliedBy(2) : NODE_PAUSE;
    }
    log.atWarn()
        .addKeyValue("node", surroundings.nodeName())
        .log("the Node is not in the API or has no address; going on without it");
    return node().orElse(null);
  }

  private Optional<NodeObject> node() {
    return watches.node();
  }

  private ServiceHealth serviceHealth(NodeSettings settings, @Nullable NodeObject node) {
    return new ServiceHealth(health, settings.healthAddresses(node), this::cannotListen);
  }

  private void cannotListen(ObjectKey service, String why) {
    events.record(
        Event.warning(
            new ObjectRef(Watches.SERVICES, service, ""), "FailedToStartServiceHealthcheck", why));
  }

  private void put(ServiceObject service) {
    for (Map.Entry<IpAddress.Family, Planner> each : planners.entrySet()) {
      metrics.serviceChanged();
      changed(each.getKey(), each.getValue().put(service));
    }
  }

  private void gone(ObjectKey service) {
    planners.forEach(
        (family, planner) -> {
          metrics.serviceChanged();
          changed(family, planner.removeService(service));
        });
  }

  private void put(SliceObject slice) {
    metrics.sliceChanged();
    boolean drains = slice.drains();
    for (Map.Entry<IpAddress.Family, Planner> each : planners.entrySet()) {
      IpAddress.Family family = each.getKey();
      boolean ours = drains && family == slice.family();
      boolean something = each.getValue().put(slice);
      if (ours) {
        draining.put(family, slice.metadata().resourceVersion());
      }
      // Also when no rule changes: somebody may wait for this very version.
      changed(family, something || ours);
    }
  }

  private void goneSlice(ObjectKey slice) {
    metrics.sliceChanged();
    planners.forEach((family, planner) -> changed(family, planner.removeSlice(slice)));
  }

  /// Before both initial lists are in, changes only gather: a partial view must not become rules.
  private void changed(IpAddress.Family family, boolean something) {
    SyncLoop loop = loops.get(family);
    if (something && running.get() && loop != null) {
      loop.request();
    }
  }

  private void nodeChanged(NodeObject node) {
    health.eligible(node.eligible());
    refreshNode();
  }

  private void nodeGone() {
    health.eligible(false);
  }

  private void refreshNode() {
    NodeObject node = node().orElse(null);
    planners.forEach(
        (family, planner) ->
            changed(family, planner.put(settings().facts(family, node, watches.serviceCidrs()))));
  }

  private void applied(IpAddress.Family family, PlanDiff diff, LocalGaps gaps) {
    gaps.update(diff);
    metrics.noLocalEndpoints(family, gaps.internal(), gaps.external());
    // In userspace mode conversations go to listeners, not to endpoints; it cares for them itself.
    if (!mode.equals("userspace")) {
      conntrack.changed(family, diff);
    }
    ServiceHealth servers = serviceHealth;
    if (servers != null) {
      servers.update(family, diff);
    }
    firstRules.tried(family, true);
    keeper.ifPresent(StandingKeeper::tell);
    String awaited = draining.get(family);
    SyncLoop loop = loops.get(family);
    if (awaited != null
        && loop != null
        && Versions.compare(loop.writtenSlices(), awaited) >= 0
        && draining.remove(family, awaited)) {
      reporter.tell();
    }
  }

  private ObjectRef nodeRef() {
    return new ObjectRef(
        Watches.NODES,
        new ObjectKey("", surroundings.nodeName()),
        node().map(node -> node.metadata().uid()).orElse(surroundings.nodeName()));
  }

  private void tellNode(String reason, String message) {
    events.record(Event.warning(nodeRef(), reason, message));
  }

  /// Whether rules have been written in every family.
  public boolean isReady() {
    return health.isReady();
  }

  public ProxyHealth health() {
    return health;
  }

  public ProxyMetrics metrics() {
    return metrics;
  }

  /// The ports the health and metrics servers really listen on.
  public Servers servers() {
    return servers;
  }

  /// `nftables, 214 services, 903 endpoints, last sync 18 ms`.
  public String summary() {
    return PlanText.summary(mode, loops.values());
  }

  /// Everything the proxy knows, for people: plans with their reasons and what failed last.
  public String dump() {
    StringBuilder text = new StringBuilder(summary() + "\n");
    loops.forEach(
        (family, loop) -> PlanText.write(text, family, loop.written(), loop.lastFailure()));
    return text.toString();
  }

  /// Stops watching and serving. Rules stay.
  @Override
  public void close() {
    running.set(false);
    reporter.close();
    keeper.ifPresent(StandingKeeper::close);
    watches.close();
    loops.values().forEach(SyncLoop::close);
    conntrack.close();
    ServiceHealth open = serviceHealth;
    if (open != null) {
      open.close();
    }
    servers.close();
    events.close();
  }
}
