package io.fairlead.proxy.announce;

import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.BootClock;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.bgp.BgpEngine;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.faults.InterruptibleApi;
import io.fairlead.proxy.flows.EchoServer;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.testing.FakeBgpEngine;
import io.fairlead.proxy.testing.ProxyTestObjects;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Nodes a, b and c, a client and a pod, each a network namespace with a cable to a bridge in a
/// sixth; an API in memory that each node can lose. Nodes have the rules of the nftables mode.
final class AnnouncerLab implements AutoCloseable {
  static final List<String> NODES = List.of("a", "b", "c");
  static final IpAddress VIP = IpAddress.parse("192.168.77.240");
  static final IpAddress VIP6 = IpAddress.parse("fd77::240");
  private static final List<String> MACHINES = List.of("a", "b", "c", "client", "pod");

  private final String prefix = "flan" + ProcessHandle.current().pid();
  private final Map<String, NetworkNamespace> namespaces = new HashMap<>();
  private final Map<String, LabNode> running = new HashMap<>();
  private final Function<NetworkNamespace, BgpEngine> engines;
  private EchoServer server;
  final AtomicBoolean mayAnnounce = new AtomicBoolean(true);
  final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.NODES,
              ResourceType.SERVICES,
              ResourceType.LEASES,
              ResourceType.CONFIG_MAPS,
              ResourceType.SECRETS,
              ResourceType.EVENTS));
  final Client client = new Client(api);

  AnnouncerLab() {
    this(
        "pools: [{name: lan, addresses: [192.168.77.240-192.168.77.242, fd77::240/126]}]",
        _ -> new FakeBgpEngine());
  }

  /// @param poolsText the pools in force
  /// @param engines what speaks BGP on each node
  AnnouncerLab(String poolsText, Function<NetworkNamespace, BgpEngine> engines) {
    this.engines = engines;
    namespaces.put("switch", NetworkNamespace.create(prefix + "switch"));
    StringBuilder script = new StringBuilder("set -e\n");
    String bridge = namespace("switch").name();
    script.append(
        "ip -n %1$s link add br0 type bridge\nip -n %1$s link set br0 up\n".formatted(bridge));
    int number = 11;
    for (String machine : MACHINES) {
      NetworkNamespace namespace = NetworkNamespace.create(prefix + machine);
      namespaces.put(machine, namespace);
      script.append(
          """
          ip netns exec %2$s sysctl -q -w net.ipv6.conf.all.accept_dad=0 \
            net.ipv6.conf.default.accept_dad=0 net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
          ip -n %2$s link set lo up
          ip link add eth0 netns %2$s type veth peer name p%3$s netns %1$s
          ip -n %1$s link set p%3$s master br0 up
          ip -n %2$s link set eth0 up
          ip -n %2$s addr add 192.168.77.%4$d/24 dev eth0
          ip -n %2$s addr add fd77::%4$d/64 dev eth0 nodad
          """
              .formatted(bridge, namespace.name(), machine, number++));
    }
    shell(script.toString());
    server = new EchoServer(namespace("pod"), "pod", 8080);
    for (String name : List.of("kube-public", "shop")) {
      ObjectNode namespace = Json.object();
      namespace.putObject("metadata").put("name", name);
      client.create(ResourceType.NAMESPACES, "", namespace);
    }
    ObjectNode pools = Json.object();
    pools
        .putObject("metadata")
        .put("namespace", LoadBalancerPools.PUBLISHED_NAMESPACE)
        .put("name", LoadBalancerPools.PUBLISHED_NAME);
    pools.putObject("data").put(LoadBalancerPools.PUBLISHED_FILE, poolsText);
    client.create(ResourceType.CONFIG_MAPS, "kube-public", pools);
    for (String node : NODES) {
      client.create(
          ResourceType.NODES,
          "",
          ProxyTestObjects.yaml(
                  """
                  apiVersion: v1
                  kind: Node
                  metadata: {name: %1$s}
                  status: {conditions: [{type: Ready, status: "True"}],
                    addresses: [{type: InternalIP, address: 192.168.77.%2$d}]}
                  """
                      .formatted(node, 11 + MACHINES.indexOf(node)))
              .getFirst());
    }
  }

  NetworkNamespace namespace(String name) {
    NetworkNamespace found = namespaces.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no machine " + name);
    }
    return found;
  }

  /// Runs a script and returns its output.
  String shell(String script) {
    CommandRunner.Result result =
        CommandRunner.here(Duration.ofMinutes(1)).run(script, List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException(script + ": " + result.error());
    }
    return result.output();
  }

  /// Runs a command on a machine.
  CommandRunner.Result run(String machine, String... command) {
    return CommandRunner.inside(namespace(machine), Duration.ofMinutes(1))
        .run("", List.of(command));
  }

  /// Pulls or plugs a machine's cable, at the bridge.
  void cable(String machine, boolean plugged) {
    shell(
        "ip -n %s link set p%s %s"
            .formatted(namespace("switch").name(), machine, plugged ? "up" : "down"));
  }

  /// The hardware address of a machine's card.
  String hardware(String machine) {
    try (Rtnetlink network = namespace(machine).call(Rtnetlink::open)) {
      return network.ethernetLinks().stream()
          .filter(link -> link.link().name().equals("eth0"))
          .map(link -> link.hardware().toString())
          .findFirst()
          .orElseThrow();
    }
  }

  /// Has a node carry and announce the Service.
  LabNode start(String node, List<ObjectNode> objects) {
    LabNode started = new LabNode(node, objects);
    running.put(node, started);
    return started;
  }

  void startAll(List<ObjectNode> objects) {
    NODES.forEach(node -> start(node, objects));
  }

  LabNode node(String name) {
    LabNode found = running.get(name);
    if (found == null) {
      throw new IllegalArgumentException("not running: " + name);
    }
    return found;
  }

  /// The nodes that answer for an address, by what they say themselves.
  Set<String> answering(IpAddress address) {
    Set<String> who = new java.util.TreeSet<>();
    running.forEach(
        (name, node) -> {
          if (node.announcer.answers().contains(address)) {
            who.add(name);
          }
        });
    return who;
  }

  /// A Service with one endpoint, the pod, and both addresses.
  static List<ObjectNode> service(String ips) {
    return ProxyTestObjects.yaml(
        """
        apiVersion: v1
        kind: Service
        metadata: {namespace: shop, name: web, annotations: {fairlead.dev/allocated-from: lan}}
        spec: {type: LoadBalancer, clusterIP: 10.96.0.10, clusterIPs: [10.96.0.10, "fd96::10"],
          ipFamilies: [IPv4, IPv6], externalTrafficPolicy: Cluster,
          ports: [{name: h, port: 80, protocol: TCP}]}
        status: {loadBalancer: {ingress: %s}}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {namespace: shop, name: web-1, labels: {kubernetes.io/service-name: web}}
        addressType: IPv4
        ports: [{name: h, port: 8080, protocol: TCP}]
        endpoints: [{addresses: [192.168.77.15], conditions: {ready: true}}]
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {namespace: shop, name: web-2, labels: {kubernetes.io/service-name: web}}
        addressType: IPv6
        ports: [{name: h, port: 8080, protocol: TCP}]
        endpoints: [{addresses: ["fd77::15"], conditions: {ready: true}}]
        """
            .formatted(ips));
  }

  static List<ObjectNode> service() {
    return service("[{ip: 192.168.77.240, ipMode: VIP}, {ip: \"fd77::240\", ipMode: VIP}]");
  }

  List<String> events() {
    List<String> all = new ArrayList<>();
    client
        .list(ResourceType.EVENTS, "shop", io.fairlead.client.ListOptions.ALL)
        .items()
        .forEach(
            event ->
                all.add(
                    Json.textOr(event, "", "reason") + ": " + Json.textOr(event, "", "message")));
    return all;
  }

  /// Events of nodes.
  List<String> nodeEvents() {
    List<String> all = new ArrayList<>();
    client
        .list(ResourceType.EVENTS, "default", io.fairlead.client.ListOptions.ALL)
        .items()
        .forEach(
            event ->
                all.add(
                    Json.textOr(event, "", "reason") + ": " + Json.textOr(event, "", "message")));
    return all;
  }

  ObjectNode lease(String node) {
    return client.get(ResourceType.LEASES, AnnouncerLease.key(node));
  }

  void label(String node, String key, String value) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").putObject("labels").put(key, value);
    client.patch(
        ResourceType.NODES, new ObjectKey("", node), io.fairlead.client.PatchType.MERGE, patch);
  }

  /// Stops all nodes at once, without a word.
  void killAll() {
    running.values().forEach(LabNode::kill);
    running.clear();
  }

  @Override
  public void close() {
    killAll();
    try {
      server.close();
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
    client.close();
    namespaces.values().forEach(NetworkNamespace::delete);
  }

  /// One node: its rules and its announcer.
  final class LabNode {
    final InterruptibleApi way = new InterruptibleApi(api);
    final Announcer announcer;
    private final Client own = new Client(way);
    private final NetworkNamespace where;
    private final Map<IpAddress.Family, DataPlane> planes = new EnumMap<>(IpAddress.Family.class);
    private final Map<IpAddress.Family, Plan> plans = new EnumMap<>(IpAddress.Family.class);
    private final String name;

    LabNode(String name, List<ObjectNode> objects) {
      this.name = name;
      this.where = namespace(name);
      this.announcer =
          new Announcer(
              new Announcer.Dependencies(
                  own,
                  name,
                  InstantSource.system(),
                  BootClock.ticker(),
                  TimingSources.system(),
                  new PrometheusRegistry(),
                  new SegmentInside(where),
                  () -> where.call(Nftables::open),
                  engines.apply(where),
                  mayAnnounce::get));
      for (IpAddress.Family family : IpAddress.Family.values()) {
        planes.put(family, where.call(() -> NftablesPlane.open(family)));
      }
      show(objects);
    }

    private NodeFacts facts(IpAddress.Family family) {
      String number = Integer.toString(11 + MACHINES.indexOf(name));
      return NodeFacts.of(
          name,
          IpAddress.parse(
              family == IpAddress.Family.IPV4 ? "192.168.77." + number : "fd77::" + number));
    }

    /// Writes the rules for these objects, then tells the announcer.
    void show(List<ObjectNode> objects) {
      planes.forEach(
          (family, plane) -> {
            Plan before = plans.getOrDefault(family, Plan.empty(facts(family)));
            Plan next = ProxyTestObjects.plan(facts(family), objects);
            PlanDiff change = PlanDiff.between(before, next);
            plane.apply(next, change);
            plans.put(family, next);
            announcer.rulesChanged(change);
          });
    }

    void kill() {
      announcer.kill();
      where.run(() -> AnnounceRules.removeAll(Nftables::open));
      planes.values().forEach(DataPlane::close);
      own.close();
    }

    /// Ends in order.
    void end() {
      announcer.close();
    }
  }

  /// The networks of a machine, opened from outside of it.
  record SegmentInside(NetworkNamespace where) implements NetworkSegment {
    private static final KernelSegment KERNEL = new KernelSegment(false);

    @Override
    public List<AnnounceInterface> interfaces() {
      return where.call(KERNEL::interfaces);
    }

    @Override
    public Set<IpAddress> ownAddresses() {
      return where.call(KERNEL::ownAddresses);
    }

    @Override
    public LinkPort open(AnnounceInterface on, FrameReceiver receiver) {
      LinkPort port = where.call(() -> KERNEL.open(on, receiver));
      return new PortInside(where, port);
    }
  }

  private record PortInside(NetworkNamespace where, NetworkSegment.LinkPort port)
      implements NetworkSegment.LinkPort {
    @Override
    public void send(io.fairlead.kernel.packet.ArpFrame frame) {
      port.send(frame);
    }

    @Override
    public void send(io.fairlead.kernel.packet.NeighbourFrame frame) {
      port.send(frame);
    }

    @Override
    public void listenFor(Set<IpAddress> addresses) {
      // The socket stays where it was made; the look-up of its interface needs the namespace.
      where.run(() -> port.listenFor(addresses));
    }

    @Override
    public void close() {
      port.close();
    }
  }
}
