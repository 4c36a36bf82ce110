package io.fairlead.bench.loadbalancer;

import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.AnnouncerLeaseNames;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.bench.api.Processes;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.node.ObjectNode;

/// Three nodes, a client and a pod on a bridge, as network namespaces. On each node a process
/// `fairlead proxy`; the API is in this process and is reached through the bridge, so that a node
/// whose cable is cut loses it, too. A client connects every 20 ms.
final class FailoverTestbed implements AutoCloseable {
  static final List<String> NODES = List.of("a", "b", "c");
  private static final String VIP = "192.168.77.240";
  private static final List<String> MACHINES = List.of("a", "b", "c", "client", "pod");
  private static final int API_PORT = 8080;
  private static final int CONNECT_MILLIS = 100;
  private static final Duration PACE = Duration.ofMillis(20);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final String prefix = "flfo" + ProcessHandle.current().pid();
  private final Map<String, NetworkNamespace> namespaces = new HashMap<>();
  private final Map<String, Process> processes = new HashMap<>();
  private final Path home;
  private final Path directory;
  private final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.NODES,
              ResourceType.SERVICES,
              ResourceType.ENDPOINT_SLICES,
              ResourceType.LEASES,
              ResourceType.CONFIG_MAPS,
              ResourceType.SERVICE_CIDRS,
              ResourceType.EVENTS));
  private final Client client = new Client(api);
  private final List<AutoCloseable> open = new ArrayList<>();
  private final ConcurrentLinkedQueue<Long> successes = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean over;

  FailoverTestbed(Path home, Path directory) throws IOException {
    this.home = home;
    this.directory = directory;
    build();
    objects();
    ServerSocket pod = namespace("pod").call(() -> new ServerSocket(API_PORT, 1024));
    open.add(pod);
    Tasks.startPlatform(
        "failover-pod",
        () -> {
          while (!pod.isClosed()) {
            try (Socket _ = pod.accept()) {
              continue;
            } catch (IOException _) {
              // Closed.
            }
          }
        });
    open.add(
        namespace("switch")
            .call(
                () ->
                    new TransportHttpServer(
                        api,
                        new InetSocketAddress(InetAddress.ofLiteral("192.168.77.1"), API_PORT))));
    Files.writeString(
        directory.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        clusters: [{name: c, cluster: {server: "http://192.168.77.1:%d"}}]
        users: [{name: c, user: {}}]
        contexts: [{name: c, context: {cluster: c, user: c}}]
        """
            .formatted(API_PORT));
    for (String node : NODES) {
      start(node);
    }
    namespace("client").start("failover-client", this::connectOnAndOn);
    await("the first connection", () -> !successes.isEmpty());
  }

  private NetworkNamespace namespace(String name) {
    NetworkNamespace found = namespaces.get(name);
    if (found == null) {
      throw new IllegalArgumentException(name);
    }
    return found;
  }

  private void build() {
    namespaces.put("switch", NetworkNamespace.create(prefix + "switch"));
    String bridge = namespace("switch").name();
    StringBuilder script = new StringBuilder("set -e\n");
    script.append(
        """
        ip -n %1$s link set lo up
        ip -n %1$s link add br0 type bridge
        ip -n %1$s link set br0 up
        ip -n %1$s addr add 192.168.77.1/24 dev br0
        """
            .formatted(bridge));
    int number = 11;
    for (String machine : MACHINES) {
      NetworkNamespace namespace = NetworkNamespace.create(prefix + machine);
      namespaces.put(machine, namespace);
      script.append(
          """
          ip netns exec %2$s sysctl -q -w net.ipv4.ip_forward=1
          ip -n %2$s link set lo up
          ip link add eth0 netns %2$s type veth peer name p%3$s netns %1$s
          ip -n %1$s link set p%3$s master br0 up
          ip -n %2$s link set eth0 up
          ip -n %2$s addr add 192.168.77.%4$d/24 dev eth0
          """
              .formatted(bridge, namespace.name(), machine, number++));
    }
    shell(script.toString());
  }

  private void objects() {
    create(ResourceType.NAMESPACES, "", "metadata: {name: kube-public}");
    for (int i = 0; i < NODES.size(); i++) {
      create(
          ResourceType.NODES,
          "",
          """
          metadata: {name: %s}
          status: {addresses: [{type: InternalIP, address: 192.168.77.%d}],
            conditions: [{type: Ready, status: "True"}]}
          """
              .formatted(NODES.get(i), 11 + i));
    }
    create(
        ResourceType.CONFIG_MAPS,
        LoadBalancerPools.PUBLISHED_NAMESPACE,
        """
        metadata: {name: %s}
        data: {pools.yaml: "pools: [{name: lan, addresses: [192.168.77.240-192.168.77.250]}]"}
        """
            .formatted(LoadBalancerPools.PUBLISHED_NAME));
    create(
        ResourceType.ENDPOINT_SLICES,
        "default",
        """
        metadata: {name: web-1, labels: {kubernetes.io/service-name: web}}
        addressType: IPv4
        ports: [{name: h, port: %d, protocol: TCP}]
        endpoints: [{addresses: [192.168.77.15], conditions: {ready: true}}]
        """
            .formatted(API_PORT));
    create(
        ResourceType.SERVICES,
        "default",
        """
        metadata: {name: web, annotations: {fairlead.dev/allocated-from: lan}}
        spec: {type: LoadBalancer, clusterIP: 10.96.0.10, ipFamilies: [IPv4],
          externalTrafficPolicy: Cluster, ports: [{name: h, port: 80, protocol: TCP}]}
        status: {loadBalancer: {ingress: [{ip: %s, ipMode: VIP}]}}
        """
            .formatted(VIP));
  }

  private void create(ResourceType type, String namespace, String yaml) {
    client.create(type, namespace, (ObjectNode) Yaml.parse(yaml));
  }

  private void shell(String script) {
    CommandRunner.Result result =
        CommandRunner.here(Duration.ofMinutes(1)).run(script, List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException(result.error());
    }
  }

  private void start(String node) throws IOException {
    Path own = Files.createDirectories(directory.resolve(node));
    processes.put(
        node,
        Processes.start(
            own.resolve("log"),
            List.of(
                "ip",
                "netns",
                "exec",
                namespace(node).name(),
                home.resolve("fairlead").toString(),
                "proxy",
                "--kubeconfig=" + directory.resolve("kubeconfig"),
                "--hostname-override=" + node,
                "--proxy-mode=nftables",
                "--healthz-bind-address=",
                "--metrics-bind-address=",
                "--control=" + own.resolve("proxy.sock"))));
    String before = version(node);
    await("the Lease of node " + node, () -> !version(node).equals(before));
  }

  private String version(String node) {
    return lease(node)
        .map(lease -> Json.textOr(lease, "", "metadata", "resourceVersion"))
        .orElse("");
  }

  private Optional<ObjectNode> lease(String node) {
    return client
        .list(ResourceType.LEASES, AnnouncerLeaseNames.NAMESPACE, ListOptions.ALL)
        .items()
        .stream()
        .filter(
            lease ->
                Json.textOr(lease, "", "metadata", "name").equals(AnnouncerLeaseNames.of(node)))
        .findFirst();
  }

  /// The nodes whose Leases list the address, apart from one.
  private List<String> owners(String except) {
    List<String> owners = new ArrayList<>();
    for (String node : NODES) {
      boolean lists =
          lease(node)
              .map(
                  lease ->
                      Json.textOr(
                          lease, "", "metadata", "annotations", AnnouncerLeaseNames.ANNOUNCES))
              .filter(VIP::equals)
              .isPresent();
      if (lists && !node.equals(except)) {
        owners.add(node);
      }
    }
    return owners;
  }

  /// Takes the owner away in some way, and returns for how many seconds no connection could be
  /// made.
  double outage(Fault fault) throws IOException, InterruptedException {
    // One that comes back lists the address until it sees that another has it.
    await("one owner", () -> owners("").size() == 1);
    String owner = owners("").getFirst();
    successes.clear();
    failures.set(0);
    await("connections", () -> successes.size() > 5);
    long begin = System.nanoTime();
    switch (fault) {
      case POWER -> cable(owner, false);
      case KILLED -> {
        Process process = process(owner);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        // The rules of the dead process stay; only those who ask for the address miss it.
        shell("ip -n " + namespace("client").name() + " neigh flush all");
      }
      case PLANNED -> {
        Process process = process(owner);
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
      }
    }
    await("another owner", () -> !owners(owner).isEmpty());
    int before = successes.size();
    await("connections again", () -> successes.size() > before + 20);
    double longest = longest(begin);
    restore(owner, fault);
    return longest;
  }

  /// How many tries to connect failed in the last outage.
  int failures() {
    return failures.get();
  }

  private double longest(long begin) {
    long last = begin;
    long longest = 0;
    for (long each : successes) {
      if (each > begin) {
        longest = Math.max(longest, each - last);
        last = each;
      }
    }
    return longest / 1e9;
  }

  private Process process(String node) {
    Process found = processes.get(node);
    if (found == null) {
      throw new IllegalStateException("no process on " + node);
    }
    return found;
  }

  private void restore(String node, Fault fault) throws IOException, InterruptedException {
    if (fault == Fault.POWER) {
      String before = version(node);
      cable(node, true);
      await("the Lease of node " + node, () -> !version(node).equals(before));
    } else {
      process(node).waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
      start(node);
    }
  }

  private void cable(String node, boolean plugged) {
    shell(
        "ip -n %s link set p%s %s"
            .formatted(namespace("switch").name(), node, plugged ? "up" : "down"));
  }

  private void connectOnAndOn() throws InterruptedException {
    InetSocketAddress to = new InetSocketAddress(InetAddress.ofLiteral(VIP), 80);
    CountDownLatch never = new CountDownLatch(1);
    while (!over) {
      try (Socket socket = new Socket()) {
        socket.connect(to, CONNECT_MILLIS);
        successes.add(System.nanoTime());
      } catch (IOException _) {
        failures.incrementAndGet();
      }
      boolean _ = never.await(PACE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    try {
      while (!condition.getAsBoolean()) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("never came: " + what);
        }
        boolean _ = new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    over = true;
    processes.values().forEach(process -> process.descendants().forEach(ProcessHandle::destroy));
    Processes.stop(List.copyOf(processes.values()));
    for (AutoCloseable each : open) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
    client.close();
    namespaces.values().forEach(NetworkNamespace::delete);
  }

  /// How the owner goes.
  enum Fault {
    /// Its cable is cut.
    POWER,
    /// Its process is killed; the machine lives.
    KILLED,
    /// Its process is asked to end.
    PLANNED
  }
}
