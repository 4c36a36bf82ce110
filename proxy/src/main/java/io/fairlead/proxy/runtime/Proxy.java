package io.fairlead.proxy.runtime;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.proxy.announce.Announcer;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.conntrack.ConntrackWorker;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.iptables.NfacctCounters;
import io.fairlead.proxy.monitoring.ProxyHealth;
import io.fairlead.proxy.monitoring.ProxyMetrics;
import io.fairlead.proxy.monitoring.ServiceHealthServer;
import io.fairlead.proxy.node.NodeFactsBuilder;
import io.fairlead.proxy.node.ProxyNodeObject;
import io.fairlead.proxy.tracking.Planner;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The running proxy of a node: folds what the API says into a [ProxyState], and has one
/// [FamilyReconciler] for each family write the plan that follows from it. Closing it leaves the
/// rules in place.
///
/// The thread that calls [#start] wires everything up; then informers' threads fold events, and
/// each reconciler's thread writes. [#change] runs on its caller's thread.
public final class Proxy implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Proxy.class);

  private final ProxyConfiguration configuration;
  private final ProxyDependencies dependencies;
  private final ProxyMetrics metrics = new ProxyMetrics();
  private final SyncRecorder recorder;
  private final ProxyHealth health;
  private final ProxyInformers informers;
  private final NodeFactsSource nodeFacts;
  private final NodeEvents events;
  private final ConntrackWorker conntrack;
  private final ProxyHttpServers servers;
  private final SyncProgressReporter reporter;
  private final Optional<CheckpointWriter> checkpoint;
  private final Optional<Announcer> announcer;
  private final Map<IpAddress.Family, FamilyReconciler> reconcilers =
      new EnumMap<>(IpAddress.Family.class);
  private final AtomicBoolean running = new AtomicBoolean();
  private final AtomicBoolean watchesRanges = new AtomicBoolean();
  private final FirstSyncAction firstRules;
  // One change of the mode at a time; guards no memory.
  private final Semaphore modeChanges = new Semaphore(1);

  private volatile ProxyMode mode;
  private volatile ProxyState state = new ProxyState(Map.of());
  private volatile @Nullable ServiceHealthServer serviceHealth;

  public Proxy(ProxyConfiguration configuration, ProxyDependencies dependencies) {
    this(
        configuration,
        dependencies,
        new ServiceInformers(dependencies.client(), dependencies.pacing()));
  }

  /// @param serviceInformers may have been started; are closed with the proxy
  public Proxy(
      ProxyConfiguration configuration,
      ProxyDependencies dependencies,
      ServiceInformers serviceInformers) {
    this.configuration = configuration;
    this.dependencies = dependencies;
    this.mode = dependencies.mode();
    this.recorder =
        new SyncRecorder(new ChangeRing("proxy", ChangeRing.DEFAULT_SIZE), dependencies.clock());
    this.health =
        new ProxyHealth(
            dependencies.clock(), configuration.time(mode, "syncPeriod").multipliedBy(2));
    this.informers =
        new ProxyInformers(
            dependencies.client(),
            dependencies.nodeName(),
            dependencies.pacing(),
            serviceInformers);
    this.nodeFacts = new NodeFactsSource(configuration, dependencies, informers);
    this.events = new NodeEvents(dependencies, informers);
    metrics.packetCounters(() -> mode == ProxyMode.IPTABLES ? NfacctCounters.read() : Map.of());
    this.conntrack =
        new ConntrackWorker(dependencies.flows(), metrics, dependencies.pacing().ticker());
    this.firstRules =
        new FirstSyncAction(dependencies.planes().keySet(), dependencies.whenWritten());
    this.servers = new ProxyHttpServers(configuration, this::mode, health, metrics, this::dump);
    this.reporter =
        new SyncProgressReporter(
            dependencies.client(), dependencies.nodeName(), dependencies.clock(), reconcilers);
    this.announcer =
        dependencies
            .announcers()
            .map(factory -> factory.create(metrics.registry(), this::mayAnnounce));
    this.checkpoint =
        dependencies
            .checkpoint()
            .map(
                file ->
                    new CheckpointWriter(
                        file,
                        this::mode,
                        informers,
                        reconcilers,
                        health,
                        dependencies.pacing().pacer()));
  }

  /// The kernel of a node in ipvs mode has all addresses of Services itself, and answers for them
  /// everywhere unless it is told not to.
  private boolean mayAnnounce() {
    return mode != ProxyMode.IPVS || configuration.on(ProxyMode.IPVS, "strictARP");
  }

  /// Records a warning as an event of the Node, once that is known. To be called before the start.
  public void warn(String reason, String message) {
    events.warnLater(reason, message);
  }

  /// Starts everything. Returns when rules for the whole state of the API are on their way; waits
  /// for the API as long as it takes, while the rules of an earlier process stay as they are.
  public void start() throws InterruptedException {
    servers.start(events::warn);
    informers.startNode();
    if (checkpoint.isEmpty() || !checkpoint.get().hasNote()) {
      // All at once: what the Node says is not needed to read the rest.
      informers.startFeed();
    }
    informers.ask(usesRanges());
    ProxyNodeObject node = nodeFacts.awaitNode(dependencies.pacing().pacer());
    if (node != null && !node.addresses().isEmpty()) {
      health.eligible(node.eligible());
    }
    // Once only: with another node name every endpoint would count as remote.
    log.atInfo()
        .addKeyValue("node", dependencies.nodeName())
        .addKeyValue("mode", mode)
        .addKeyValue("families", dependencies.planes().keySet())
        .log("starting the service proxy");
    events.started();
    watchRanges();
    prepare(node);
    if (checkpoint.isPresent() && checkpoint.get().rulesAreCurrent()) {
      log.atInfo().log("nothing has changed since the last process: its rules are right");
      reconcilers.keySet().forEach(health::stands);
    }
    informers.startFeed();
    follow();
    informers.services().awaitSync();
    informers.slices().awaitSync();
    running.set(true);
    recorder.started(mode);
    reconcilers.values().forEach(FamilyReconciler::start);
    reporter.start();
    checkpoint.ifPresent(CheckpointWriter::start);
    informers.nodes().onChange(ChangeHandler.of(this::nodeChanged, _ -> health.eligible(false)));
    informers.ranges().onChange(ChangeHandler.of(_ -> refreshNode(), _ -> refreshNode()));
  }

  /// Folds what the informers report, from their threads.
  private void follow() {
    informers
        .services()
        .onChange(
            ChangeHandler.of(
                service -> on(new ProxyState.Event.ServiceChanged(service)),
                service -> on(new ProxyState.Event.ServiceDeleted(service.metadata().key()))));
    informers
        .slices()
        .onChange(
            ChangeHandler.of(
                slice -> on(new ProxyState.Event.SliceChanged(slice)),
                slice -> on(new ProxyState.Event.SliceDeleted(slice.metadata().key()))));
  }

  private void on(ProxyState.Event event) {
    switch (event) {
      case ProxyState.Event.ServiceChanged _, ProxyState.Event.ServiceDeleted _ ->
          // The original counts once for each family, too.
          reconcilers.keySet().forEach(_ -> metrics.serviceChanged());
      case ProxyState.Event.SliceChanged _, ProxyState.Event.SliceDeleted _ ->
          metrics.sliceChanged();
      case ProxyState.Event.NodeFactsChanged _ -> {}
    }
    for (IpAddress.Family family : state.fold(event)) {
      FamilyReconciler reconciler = reconcilers.get(family);
      // Before both initial lists are in, changes only gather: a partial view must not become
      // rules.
      if (running.get() && reconciler != null) {
        reconciler.request();
      }
    }
  }

  /// The ranges of cluster IPs matter to modes that answer for unused addresses.
  private void watchRanges() {
    if (usesRanges() && watchesRanges.compareAndSet(false, true)) {
      informers.ranges().start();
    }
  }

  private boolean usesRanges() {
    return mode != ProxyMode.IPTABLES;
  }

  /// The mode traffic is carried in now.
  public ProxyMode mode() {
    return mode;
  }

  /// What carries out plans now, by family.
  public Map<IpAddress.Family, DataPlane> planes() {
    Map<IpAddress.Family, DataPlane> planes = new EnumMap<>(IpAddress.Family.class);
    reconcilers.forEach((family, reconciler) -> planes.put(family, reconciler.plane()));
    return planes;
  }

  /// What the relay of the userspace mode did lately for a client's connection; empty in other
  /// modes.
  public Optional<RelayedChoice> relayed(IpAddress client, int clientPort) {
    return planes().values().stream()
        .map(plane -> plane.relayed(client, clientPort))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /// Goes on in another mode. Its rules are all written before any of the former mode's go, so that
  /// every packet meets one or the other. Throws [io.fairlead.proxy.core.DataPlaneException] when
  /// the new mode cannot be had; then nothing has changed.
  ///
  /// @param planes of the new mode, one for each family; the proxy closes them
  /// @param between runs when the new rules are there, and before the old ones go
  /// @return what of the former mode could not be removed; empty when all was
  public List<String> change(
      ProxyMode to, Map<IpAddress.Family, DataPlane> planes, Runnable between) {
    modeChanges.acquireUninterruptibly();
    try {
      // What the start removes of other modes must not be what is written now.
      firstRules.forgetOrAwait();
      return new ModeSwitch(reconcilers, mode, to, dependencies.pacing().pacer())
          .run(planes, nodeFacts.now(to), between, () -> nowIn(to));
    } finally {
      modeChanges.release();
    }
  }

  /// Has every family read the kernel back and repair what differs, as a start does.
  public void repair() {
    reconcilers.values().forEach(FamilyReconciler::drifted);
  }

  private void nowIn(ProxyMode other) {
    recorder.changedMode(mode, other);
    mode = other;
    watchRanges();
    refreshNode();
  }

  /// Makes the state, and a reconciler for each family.
  private void prepare(@Nullable ProxyNodeObject node) {
    NodeFactsBuilder builder = nodeFacts.builder(mode);
    ServiceHealthServer healthServer =
        new ServiceHealthServer(health, builder.healthAddresses(node), events::cannotListen);
    serviceHealth = healthServer;
    ReconcilerFactory factory =
        new ReconcilerFactory(configuration, dependencies, health, metrics, recorder);
    Map<IpAddress.Family, Planner> planners =
        factory.planners(family -> builder.facts(family, node, informers.serviceCidrs()));
    ProxyState folded = new ProxyState(planners);
    SyncEffects.Receivers receivers =
        new SyncEffects.Receivers(
            this::mode,
            metrics,
            conntrack,
            healthServer,
            firstRules,
            checkpoint,
            reporter,
            folded,
            announcer);
    planners.forEach(
        (family, planner) ->
            reconcilers.put(
                family, factory.reconciler(planner, new SyncEffects(family, receivers))));
    state = folded;
  }

  private void nodeChanged(ProxyNodeObject node) {
    health.eligible(node.eligible());
    refreshNode();
  }

  private void refreshNode() {
    Function<IpAddress.Family, NodeFacts> facts = nodeFacts.now(mode);
    Map<IpAddress.Family, NodeFacts> all = new EnumMap<>(IpAddress.Family.class);
    reconcilers.keySet().forEach(family -> all.put(family, facts.apply(family)));
    on(new ProxyState.Event.NodeFactsChanged(all));
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
  public ProxyHttpServers servers() {
    return servers;
  }

  /// What the rules of each family follow now. Waits for nothing.
  public Map<IpAddress.Family, WrittenState> written() {
    Map<IpAddress.Family, WrittenState> states = new EnumMap<>(IpAddress.Family.class);
    reconcilers.forEach((family, reconciler) -> states.put(family, reconciler.state()));
    return states;
  }

  /// What it did to its rules, and what others did to them.
  public ChangeRing changes() {
    return recorder.ring();
  }

  /// The name of the node whose proxy this is.
  public String nodeName() {
    return dependencies.nodeName();
  }

  /// Says in its report that it has a node API of its own.
  ///
  /// @param fingerprint of the certificate
  public void tellNodeApi(String fingerprint) {
    reporter.nodeApi(fingerprint);
  }

  /// `nftables, 214 services, 903 endpoints, last sync 18 ms`.
  public String summary() {
    return PlanFormatter.summary(mode, reconcilers.values());
  }

  /// Everything the proxy knows, for people: plans with their reasons and what failed last.
  public String dump() {
    StringBuilder text = new StringBuilder(summary() + "\n");
    reconcilers.forEach(
        (family, reconciler) ->
            PlanFormatter.write(text, family, reconciler.written(), reconciler.lastFailure()));
    return text.toString();
  }

  /// Lets other nodes take the load balancer addresses that this one announces; takes two seconds
  /// at most. Part of [#close], for those who have more to do before that.
  public void handOverAddresses() {
    announcer.ifPresent(Announcer::close);
  }

  /// Stops watching and serving. Rules stay.
  @Override
  public void close() {
    // First, and with everything else at work: another node takes the addresses over.
    handOverAddresses();
    running.set(false);
    reporter.close();
    checkpoint.ifPresent(CheckpointWriter::close);
    informers.close();
    reconcilers.values().forEach(FamilyReconciler::close);
    conntrack.close();
    ServiceHealthServer open = serviceHealth;
    if (open != null) {
      open.close();
    }
    servers.close();
    events.close();
  }
}
