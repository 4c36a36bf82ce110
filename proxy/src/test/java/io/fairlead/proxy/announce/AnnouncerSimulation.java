package io.fairlead.proxy.announce;

import io.fairlead.api.loadbalancer.LoadBalancerPool;
import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.loadbalancer.PoolRange;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.kernel.route.HardwareAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Nodes with real cores on a network and an API that are both made up, in a time that the test
/// advances. Nodes see Leases a few milliseconds late, lose the API, the network or their time.
final class AnnouncerSimulation {
  static final IpAddress VIP = IpAddress.parse("192.168.77.240");
  static final IpAddress VIP6 = IpAddress.parse("fd77::240");
  private static final long MILLI = 1_000_000L;
  private static final long TICK = 50 * MILLI;

  final Map<String, SimulatedNode> nodes = new LinkedHashMap<>();
  final Map<IpAddress, HardwareAddress> devices = new HashMap<>();
  final List<String> told = new ArrayList<>();
  private final Map<String, AnnouncerLease> server = new HashMap<>();
  private final List<Delivery> deliveries = new ArrayList<>();
  private final Random random;
  boolean apiAway;
  long now = 1_000_000 * MILLI;

  /// Every change of who answers, with its time in milliseconds.
  final List<String> history = new ArrayList<>();

  private record Delivery(long at, String to, Runnable what) {}

  AnnouncerSimulation(long seed, String... names) {
    random = new Random(seed);
    for (String name : names) {
      nodes.put(name, new SimulatedNode(name));
    }
  }

  static AnnouncerSimulation ofThree() {
    return new AnnouncerSimulation(1, "a", "b", "c");
  }

  SimulatedNode node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  /// Lets all nodes carry an address.
  AnnouncerSimulation demand(IpAddress address) {
    nodes.values().forEach(node -> node.demand(address, false, LocalEndpoints.NONE));
    return this;
  }

  void run(Duration time) {
    long end = now + time.toNanos();
    while (now < end) {
      now += MILLI;
      for (Delivery each : List.copyOf(deliveries)) {
        SimulatedNode to = node(each.to);
        if (each.at <= now && !to.frozen) {
          deliveries.remove(each);
          if (!to.dead) {
            each.what.run();
          }
        }
      }
      nodes.values().forEach(SimulatedNode::advance);
      note();
    }
  }

  private String last = "";

  private void note() {
    StringBuilder line = new StringBuilder();
    for (IpAddress address : allAddresses()) {
      Set<String> who = answering(address);
      line.append(address).append('=').append(String.join("+", who)).append(' ');
    }
    if (!line.toString().equals(last)) {
      last = line.toString();
      history.add(now / MILLI + " " + last.strip());
    }
  }

  Set<IpAddress> allAddresses() {
    Set<IpAddress> all = new TreeSet<>();
    nodes.values().forEach(node -> all.addAll(node.demands.keySet()));
    return all;
  }

  /// Who answers a neighbour that asks now, on any side of the network.
  Set<String> answering(IpAddress address) {
    Set<String> who = new TreeSet<>();
    nodes.values().stream()
        .filter(node -> node.isOnNetwork() && node.answers(address))
        .forEach(node -> who.add(node.name));
    return who;
  }

  /// Of those, the ones that are not letting go.
  Set<String> owning(IpAddress address) {
    Set<String> who = new TreeSet<>(answering(address));
    who.removeIf(name -> node(name).core.phase(address).equals("LEAVING"));
    return who;
  }

  /// How long after a moment the address was first answered for by that node, in milliseconds.
  long until(IpAddress address, String name, Duration longest) {
    long begin = now;
    while (!answering(address).contains(name)) {
      if (now - begin > longest.toNanos()) {
        throw new AssertionError(name + " does not take " + address + ": " + history);
      }
      run(Duration.ofMillis(1));
    }
    return (now - begin) / MILLI;
  }

  /// A machine says that an address is its own.
  void claim(IpAddress address, HardwareAddress by, SimulatedNode except, int side) {
    nodes.values().stream()
        .filter(node -> node != except && node.isOnNetwork() && node.side == side)
        .forEach(
            node ->
                deliveries.add(
                    new Delivery(now, node.name, () -> node.core.claimed(address, by, now))));
  }

  /// One node.
  final class SimulatedNode implements AnnouncerCore.Effects {
    final String name;
    final HardwareAddress hardware;
    final Map<IpAddress, AddressDemand> demands = new TreeMap<>();
    private final Map<String, AnnouncerLease> seen = new HashMap<>();
    private final Map<String, Long> seenAt = new HashMap<>();
    final AnnouncerCore core;
    final List<String> sent = new ArrayList<>();
    Map<String, String> labels = Map.of();
    boolean apiCut;
    boolean cableCut;
    boolean frozen;
    boolean dead;
    boolean rulesWritten = true;
    int side;
    private AnnouncerView view;
    private long nextStep;
    private long nextRenewal;
    private long earliest;
    private boolean writing;
    private Optional<AnnouncerLease> written = Optional.empty();
    private Map<IpAddress, Long> until = Map.of();
    private boolean looked;

    SimulatedNode(String name) {
      this.name = name;
      this.hardware = HardwareAddress.parse("02:00:00:00:00:%02x".formatted(nodes.size() + 10));
      this.view = look();
      this.core = new AnnouncerCore(view, this);
    }

    void demand(IpAddress address, boolean local, LocalEndpoints endpoints) {
      demand(address, local, endpoints, LabelSelector.EVERYTHING, "");
    }

    void demand(
        IpAddress address,
        boolean local,
        LocalEndpoints endpoints,
        LabelSelector selector,
        String rebalance) {
      LoadBalancerPool plain =
          LoadBalancerPool.of("lan", List.of(PoolRange.of(address)), Announcement.L2);
      LoadBalancerPool pool =
          new LoadBalancerPool(
              plain.name(),
              plain.ranges(),
              plain.announcement(),
              true,
              false,
              List.of(),
              selector,
              LabelSelector.EVERYTHING,
              LabelSelector.EVERYTHING,
              100,
              false,
              LoadBalancerPool.Bgp.DEFAULT);
      demands.put(
          address,
          new AddressDemand(
              pool,
              new TreeSet<>(List.of(new ObjectKey("default", "web"))),
              local,
              endpoints,
              rebalance));
      nextStep = 0;
    }

    void end() {
      core.end(now);
      nextStep = 0;
    }

    /// Everyone sees a change of a Node at once.
    void label(Map<String, String> next) {
      labels = next;
      nodes.values().forEach(node -> node.nextStep = 0);
    }

    boolean isOnNetwork() {
      return !dead && !cableCut && !frozen;
    }

    boolean answers(IpAddress address) {
      Long end = until.get(address);
      return end != null && end - now > 0;
    }

    private boolean reachesApi() {
      return !apiAway && !apiCut && !dead && !frozen;
    }

    private AnnouncerView look() {
      Map<String, AnnouncerNode> objects = new HashMap<>();
      nodes.forEach((each, node) -> objects.put(each, object(each, node.labels)));
      objects.putIfAbsent(name, object(name, labels == null ? Map.of() : labels));
      Set<String> fresh = new TreeSet<>();
      seen.forEach(
          (each, lease) -> {
            if (now - seenAt.getOrDefault(each, 0L) < lease.limit().toNanos()) {
              fresh.add(each);
            }
          });
      return new AnnouncerView(
          name, rulesWritten ? demands : Map.of(), demands.keySet(), objects, seen, fresh);
    }

    private static AnnouncerNode object(String name, Map<String, String> labels) {
      boolean excluded =
          labels.containsKey("excluded") && !labels.getOrDefault("excluded", "").equals("false");
      return new AnnouncerNode(
          new ObjectMeta(
              new ObjectKey("", name), "", "", 0, labels, List.of(), List.of(), Optional.empty()),
          excluded ? "is excluded by label" : "");
    }

    private void advance() {
      if (dead || frozen) {
        return;
      }
      if (now >= nextStep) {
        step();
      }
      AnnouncerTiming timing = timing();
      AnnouncerLease lease = lease(timing);
      boolean changed = written.filter(lease::equals).isEmpty();
      if (!writing && now >= earliest && (now >= nextRenewal || changed)) {
        renew(lease, timing);
      }
    }

    private AnnouncerTiming timing() {
      return AnnouncerTiming.of(view.fresh().size());
    }

    private void step() {
      nextStep = now + TICK;
      AnnouncerView next = look();
      if (!looked || !next.equals(view)) {
        looked = true;
        view = next;
      }
      core.step(view, now);
      until = core.answers(now);
    }

    private AnnouncerLease lease(AnnouncerTiming timing) {
      TreeMap<IpAddress, LocalEndpoints> local = new TreeMap<>();
      TreeSet<IpAddress> ready = new TreeSet<>();
      if (!core.isEnding() && rulesWritten) {
        ready.addAll(demands.keySet());
        demands.forEach(
            (address, demand) -> {
              if (demand.local()) {
                local.put(address, demand.endpoints());
              }
            });
      }
      return new AnnouncerLease(
          name,
          timing.limit(),
          new TreeSet<>(core.toAnnounce(now)),
          new TreeSet<>(core.doubtful()),
          ready,
          local,
          new TreeSet<>(Set.of("eth0=" + hardware)),
          List.of());
    }

    private void renew(AnnouncerLease lease, AnnouncerTiming timing) {
      nextRenewal = now + timing.period().toNanos();
      if (!reachesApi()) {
        earliest = now + 100 * MILLI;
        return;
      }
      writing = true;
      long began = now;
      long there = now + (1 + random.nextInt(5)) * MILLI;
      deliveries.add(
          new Delivery(
              there,
              name,
              () -> {
                writing = false;
                if (!reachesApi()) {
                  return;
                }
                server.put(name, lease);
                nodes.values().forEach(each -> each.watch(name, lease));
                written = Optional.of(lease);
                core.leaseWritten(
                    lease.announces(), AnnouncerTiming.sure(lease.limit()), began, now);
                until = core.answers(now);
              }));
    }

    /// A frozen node finds what was sent to it when it goes on.
    private void watch(String of, AnnouncerLease lease) {
      if (apiAway || apiCut || dead) {
        return;
      }
      deliveries.add(
          new Delivery(
              now + (1 + random.nextInt(10)) * MILLI,
              name,
              () -> {
                seen.put(of, lease);
                seenAt.put(of, now);
                nextStep = now;
              }));
    }

    /// The API is back: what was missed comes at once.
    void reconnect() {
      apiCut = false;
      server.forEach(this::watch);
    }

    @Override
    public void announce(IpAddress address) {
      sent.add("announce " + address);
      if (isOnNetwork()) {
        claim(address, hardware, this, side);
      }
    }

    @Override
    public void probe(IpAddress address) {
      sent.add("probe " + address);
      if (!isOnNetwork()) {
        return;
      }
      HardwareAddress device = devices.get(address);
      if (device != null) {
        deliveries.add(new Delivery(now + MILLI, name, () -> core.claimed(address, device, now)));
      }
      nodes.values().stream()
          .filter(
              node ->
                  node != this && node.isOnNetwork() && node.side == side && node.answers(address))
          .forEach(
              node ->
                  deliveries.add(
                      new Delivery(
                          now + MILLI, name, () -> core.claimed(address, node.hardware, now))));
    }

    @Override
    public void leaseChanged() {
      nextStep = now;
    }

    @Override
    public void took(IpAddress address, AddressDemand demand, boolean first) {
      told.add(name + " took " + address);
    }

    @Override
    public void inUse(IpAddress address, HardwareAddress by) {
      told.add(address + " in use by " + by);
    }
  }
}
