package io.fairlead.proxy.announce;

import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.route.HardwareAddress;
import io.fairlead.kernel.syscall.BootClock;
import io.fairlead.proxy.bgp.BgpEngine;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the network where load balancer addresses are: answers ARP requests and neighbour
/// solicitations for those that this node has taken.
///
/// How it works: the loop `announcer` owns everything here and a mailbox; other threads only put
/// work into that. The proxy reports the addresses that its rules carry; Leases, Nodes and pools
/// are watched. Every 50 ms while an address is to be announced the loop looks at all of it
/// ([AnnouncerView]) and has [AnnouncerCore] decide. A cluster without such addresses costs
/// nothing: neither sockets nor watches nor a Lease. Addresses of pools that are announced by BGP
/// go to the [RouteAnnouncer].
public final class Announcer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Announcer.class);
  static final String LOOP = "announcer";
  private static final Duration TICK = Duration.ofMillis(50);
  private static final Duration ASLEEP = Duration.ofSeconds(5);
  private static final long LOOK_AT_LINKS = Duration.ofMillis(500).toNanos();
  private static final int MAILBOX = 4096;
  private static final String NEEDS_STRICT_ARP = "needs strictARP in ipvs mode";

  /// What an announcer works with.
  ///
  /// @param ticker the time since the machine was started
  /// @param mayAnnounce false while addresses must not be announced: the kernel would answer for
  ///   them on every node
  /// @param kernel opens the tables of this machine
  /// @param routers speaks BGP
  record Dependencies(
      Client client,
      String node,
      InstantSource clock,
      Ticker ticker,
      TimingSources pacing,
      PrometheusRegistry metrics,
      NetworkSegment segment,
      Supplier<Nftables> kernel,
      BgpEngine routers,
      BooleanSupplier mayAnnounce) {}

  private final Dependencies with;
  private final BalancerAddresses addresses = new BalancerAddresses();
  private final BlockingQueue<Runnable> mailbox = new ArrayBlockingQueue<>(MAILBOX);
  private final AnsweredAddresses answered = new AnsweredAddresses();
  private final AnnounceCounters counters;
  private final AnnouncerEvents events;
  private final AnnouncedPools pools;
  private final AnnouncerLeases leases;
  private final Informer<AnnouncerNode> nodes;
  private final LeaseRenewal renewal;
  private final AnnouncerPorts ports;
  private final AnnounceRules rules;
  private final RouteAnnouncer routes;
  private final SupervisedLoop loop;
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  // What frames may be about; anything else is not worth a message.
  private volatile Set<IpAddress> interesting = Set.of();
  // The last claim of each address, so that a flood of them costs no more than one.
  private final Map<IpAddress, HardwareAddress> claims = new ConcurrentHashMap<>();
  private volatile boolean nodesChanged = true;
  private volatile Map<String, Integer> certainties = Map.of();

  // Owned by the loop's thread.
  private final AnnouncerCore core;
  private AnnouncerView view;
  private Map<IpAddress, BalancerAddresses.Carried> carried = Map.of();
  private LoadBalancerPools lastPools = LoadBalancerPools.NONE;
  private Map<IpAddress, AddressDemand> demands = Map.of();
  private Map<IpAddress, Set<Integer>> serving = Map.of();
  private Map<String, AnnouncerNode> lastNodes = Map.of();
  private Map<String, AnnouncerLease> lastLeases = Map.of();
  private boolean watching;
  private boolean routing;
  private boolean poolsSeen;
  private boolean forbidden;
  private boolean looked;
  private long lastLook;

  /// For this machine.
  ///
  /// @param means its routers are ended with the announcer
  /// @param mayAnnounce false while addresses must not be announced
  public static Announcer ofKernel(
      Client client,
      String node,
      InstantSource clock,
      TimingSources pacing,
      PrometheusRegistry metrics,
      AnnounceMeans means,
      BooleanSupplier mayAnnounce) {
    return new Announcer(
        new Dependencies(
            client,
            node,
            clock,
            BootClock.ticker(),
            pacing,
            metrics,
            new KernelSegment(means.promiscuous()),
            Nftables::open,
            means.routers(),
            mayAnnounce));
  }

  Announcer(Dependencies with) {
    this.with = with;
    this.counters = new AnnounceCounters(with.metrics());
    this.events = new AnnouncerEvents(with.client(), with.node(), with.clock(), with.ticker());
    this.pools = new AnnouncedPools(with.client(), with.pacing(), this::wake);
    this.leases =
        new AnnouncerLeases(with.client(), with.node(), with.pacing(), with.ticker(), this::wake);
    this.nodes =
        new Informer<>(
            ListWatchFactory.objects(with.client(), ResourceType.NODES, "", ""),
            AnnouncerNode::of,
            with.pacing());
    nodes.onChange(ChangeHandler.of(_ -> nodesChanged(), _ -> nodesChanged()));
    this.renewal =
        new LeaseRenewal(
            with.client(), with.node(), with.clock(), with.ticker(), this::leaseWritten);
    this.ports =
        new AnnouncerPorts(
            with.segment(),
            link ->
                new AddressResponder(
                    link, answered, this::hardware, this::claimed, counters, with.ticker()));
    this.rules = new AnnounceRules(with.kernel());
    this.routes = new RouteAnnouncer(with.routers(), with.client(), events, with.ticker());
    this.view = new AnnouncerView(with.node(), Map.of(), Set.of(), Map.of(), Map.of(), Set.of());
    this.core = new AnnouncerCore(view, new NetworkEffects());
    AnnounceCounters.showAddresses(with.metrics(), () -> answered.addresses().size());
    AnnounceCounters.showStates(with.metrics(), () -> certainties);
    AnnounceCounters.showSessions(with.metrics(), routes::sessions);
    // Opens sockets where it was started from, and sits in native calls.
    this.loop = SupervisedLoop.of(LOOP).platform().build(this::step);
  }

  /// Rules follow a changed plan. Never blocks.
  public void rulesChanged(PlanDiff change) {
    if (addresses.update(change)) {
      if (!closed.get() && started.compareAndSet(false, true)) {
        pools.start();
        loop.start();
      }
      wake();
    }
  }

  private Set<HardwareAddress> hardware() {
    return ports.hardware();
  }

  private void nodesChanged() {
    nodesChanged = true;
    wake();
  }

  private void wake() {
    if (mailbox.isEmpty()) {
      boolean _ = mailbox.offer(() -> {});
    }
  }

  private void claimed(IpAddress address, HardwareAddress by) {
    if (interesting.contains(address)) {
      claims.put(address, by);
      wake();
    }
  }

  private void leaseWritten(Set<IpAddress> announced, Duration limit, long began, long took) {
    counters.renewed(took);
    Duration sure = AnnouncerTiming.sure(limit);
    boolean _ =
        mailbox.offer(() -> core.leaseWritten(announced, sure, began, with.ticker().nanos()));
  }

  private void step() throws InterruptedException {
    Runnable message =
        mailbox.poll(watching ? TICK.toMillis() : ASLEEP.toMillis(), TimeUnit.MILLISECONDS);
    while (message != null) {
      message.run();
      message = mailbox.poll();
    }
    look();
    long now = with.ticker().nanos();
    for (IpAddress address : List.copyOf(claims.keySet())) {
      HardwareAddress by = claims.remove(address);
      if (by != null) {
        core.claimed(address, by, now);
      }
    }
    core.step(view, now);
    show(now);
    if (core.isEnding() && core.isIdle()) {
      ended.countDown();
    }
  }

  /// Brings the view up to date; the same object stays while nothing changes.
  private void look() {
    long now = with.ticker().nanos();
    Map<IpAddress, BalancerAddresses.Carried> carry = addresses.now();
    LoadBalancerPools known = pools.now();
    boolean changed = !carry.equals(carried) || !known.equals(lastPools) || firstPools();
    if (changed) {
      carried = carry;
      lastPools = known;
      demands = demands(carry, known);
      // What an earlier process left speaking must hear that there is nothing to say.
      routing |= pools.areKnown() && (RouteAnnouncer.isNeeded(known) || with.routers().isActive());
    }
    if ((!demands.isEmpty() || routing) && !watching) {
      watching = true;
      leases.start();
      nodes.start();
      renewal.start();
    }
    if (watching && (changed || !looked || now - lastLook >= LOOK_AT_LINKS)) {
      looked = true;
      lastLook = now;
      if (ports.refresh(mayAnnounce() ? demands : Map.of())) {
        changed = true;
        // New sockets belong to no group yet.
        interesting = Set.of();
        core.announceAgain(now);
      }
    }
    if (nodesChanged && watching && nodes.hasSynced()) {
      nodesChanged = false;
      Map<String, AnnouncerNode> all = new HashMap<>();
      nodes.list().forEach(node -> all.put(node.metadata().key().name(), bare(node)));
      changed |= !all.equals(lastNodes);
      lastNodes = all;
    }
    if (routing && changed) {
      routes.follow(lastNodes.get(with.node()), carried, lastPools);
    }
    Map<String, AnnouncerLease> seen = leases.now();
    Set<String> fresh = leases.fresh();
    if (changed || !seen.equals(lastLeases) || !fresh.equals(view.fresh())) {
      Map<IpAddress, Set<Integer>> serve = new TreeMap<>();
      demands.forEach(
          (address, demand) -> {
            Set<Integer> links = ports.serving(address, demand);
            if (!links.isEmpty()) {
              serve.put(address, links);
            }
          });
      serving = serve;
      lastLeases = seen;
      view = new AnnouncerView(with.node(), demands, serve.keySet(), lastNodes, seen, fresh);
    }
  }

  private boolean firstPools() {
    boolean first = pools.areKnown() && !poolsSeen;
    poolsSeen |= first;
    return first;
  }

  private boolean mayAnnounce() {
    boolean may = with.mayAnnounce().getAsBoolean();
    if (!may && !forbidden) {
      log.atWarn()
          .log(
              "announces no load balancer addresses: in ipvs mode every node would answer for them;"
                  + " set strictARP");
    }
    forbidden = !may;
    return may;
  }

  /// Without what changes at every heartbeat of a Node.
  private static AnnouncerNode bare(AnnouncerNode node) {
    return new AnnouncerNode(
        new ObjectMeta(
            node.metadata().key(),
            node.metadata().uid(),
            "",
            0,
            node.metadata().labels(),
            List.of(),
            List.of(),
            node.metadata().deletionTimestamp()),
        node.obstacle(),
        node.addresses());
  }

  private static Map<IpAddress, AddressDemand> demands(
      Map<IpAddress, BalancerAddresses.Carried> carried, LoadBalancerPools pools) {
    Map<IpAddress, AddressDemand> demands = new HashMap<>();
    carried.forEach(
        (address, each) ->
            pools
                .of(address)
                .filter(pool -> pool.announcement() == Announcement.L2)
                .ifPresent(
                    pool ->
                        demands.put(
                            address,
                            new AddressDemand(
                                pool,
                                each.services(),
                                each.local(),
                                each.endpoints(),
                                each.rebalance()))));
    return demands;
  }

  /// Has sockets, rules and the Lease follow what was decided.
  private void show(long now) {
    Map<IpAddress, Long> until = core.answers(now);
    Map<IpAddress, AnsweredAddresses.Answer> answers = new HashMap<>();
    until.forEach(
        (address, end) ->
            answers.put(
                address,
                new AnsweredAddresses.Answer(end, serving.getOrDefault(address, Set.of()))));
    answered.replace(answers);
    Set<IpAddress> asked = core.concerned();
    if (!asked.equals(interesting)) {
      interesting = Set.copyOf(asked);
      Map<IpAddress, Set<Integer>> listen = new HashMap<>();
      asked.forEach(address -> listen.put(address, serving.getOrDefault(address, Set.of())));
      ports.listenFor(listen);
    }
    rules.show(until.keySet());
    certainties = core.certainties(now);
    if (watching) {
      AnnouncerTiming timing =
          demands.isEmpty() ? AnnouncerTiming.IDLE : AnnouncerTiming.of(view.fresh().size());
      renewal.say(new LeaseRenewal.Statement(lease(now, timing), timing.period(), now));
    }
  }

  private AnnouncerLease lease(long now, AnnouncerTiming timing) {
    SortedMap<IpAddress, LocalEndpoints> local = new TreeMap<>();
    SortedSet<IpAddress> ready = new TreeSet<>();
    if (!core.isEnding()) {
      ready.addAll(serving.keySet());
      demands.forEach(
          (address, demand) -> {
            if (demand.local() && ready.contains(address)) {
              local.put(address, demand.endpoints());
            }
          });
    }
    SortedSet<String> macs = new TreeSet<>();
    ports.links().forEach(link -> macs.add(link.name() + "=" + link.hardware()));
    return new AnnouncerLease(
        with.node(),
        timing.limit(),
        new TreeSet<>(core.toAnnounce(now)),
        new TreeSet<>(core.doubtful()),
        ready,
        local,
        macs,
        ports.links().stream().map(AnnounceInterface::networksText).sorted().toList(),
        core.isEnding() ? new TreeSet<>() : routes.routed(),
        routes.peers(),
        new TreeSet<>(core.inUse()),
        forbidden ? NEEDS_STRICT_ARP : "");
  }

  /// What the core asks for, done at once: this is the loop's thread.
  private final class NetworkEffects implements AnnouncerCore.Effects {
    private @Nullable AddressDemand demand(IpAddress address) {
      return demands.get(address);
    }

    @Override
    public void announce(IpAddress address) {
      AddressDemand demand = demand(address);
      if (demand != null) {
        ports.announce(address, demand);
        counters.announced();
      }
    }

    @Override
    public void probe(IpAddress address) {
      AddressDemand demand = demand(address);
      if (demand != null) {
        ports.probe(address, demand);
      }
    }

    @Override
    public void leaseChanged() {
      // Every step says what the Lease is to be.
    }

    @Override
    public void took(IpAddress address, AddressDemand demand, boolean first) {
      counters.took(first ? "first" : "failover");
      events.announced(address, demand);
    }

    @Override
    public void inUse(IpAddress address, HardwareAddress by) {
      counters.conflict();
      AddressDemand demand = demand(address);
      if (demand != null) {
        events.inUse(address, by, demand);
      }
    }
  }

  /// The addresses that this node answers for now.
  public Set<IpAddress> answers() {
    return new HashSet<>(answered.addresses());
  }

  /// Lets go of all addresses in order: others take them while this node still answers, for two
  /// seconds at most. Idempotent.
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    if (started.get()) {
      boolean _ = mailbox.offer(() -> core.end(with.ticker().nanos()));
      try {
        boolean _ =
            ended.await(AnnouncerCore.HAND_OVER.plus(TICK).toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    stop(true);
  }

  /// Ends without a hand-over and without a word, as a process that is killed does. For tests.
  void kill() {
    if (!closed.getAndSet(true)) {
      stop(false);
    }
  }

  private void stop(boolean orderly) {
    loop.close();
    if (orderly && watching()) {
      renewal.withdraw();
    }
    renewal.close();
    pools.close();
    leases.close();
    nodes.close();
    ports.close();
    if (orderly) {
      rules.show(Set.of());
      routes.close();
    } else {
      routes.abandon();
    }
    events.close();
  }

  /// After the loop has ended.
  private boolean watching() {
    return watching;
  }

  /// Takes away the rules that a process which was killed left.
  public static void removeRules() {
    AnnounceRules.removeAll(Nftables::open);
  }
}
