package io.fairlead.agent.routes;

import static io.fairlead.agent.MemoryCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fairlead.agent.Agent;
import io.fairlead.agent.AgentOptions;
import io.fairlead.agent.MemoryCluster;
import io.fairlead.agent.NodeNetworkOptions;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.PodNetwork;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Two whole nodes, each a network namespace with a cable to a common switch, and real packets
/// between their pods: by routes and by tunnels, in both families.
@Tag("system")
class NodesTest {
  private static final String POD =
      """
      metadata: {name: %1$s}
      spec:
        nodeName: %1$s
        terminationGracePeriodSeconds: 1
        containers:
        - name: c
          image: fairlead.dev/hostnames
          ports: [{containerPort: 9376, hostPort: 8088}]
          readinessProbe: {httpGet: {port: 9376, path: /healthz}, periodSeconds: 1}
        - {name: echo, image: fairlead.dev/echo}
      """;

  /// Routes, neighbours and where the tunnel leads.
  private static final List<String> EVERY_WAY_TO_B =
      List.of(
          "10.244.2.0/24 via 10.244.2.0",
          "fd00:244:2::/64 via fd00:244:2::",
          "10.244.2.0 dev fl.1 lladdr",
          "fd00:244:2:: dev fl.1 lladdr",
          "dst 192.168.77.12");

  @TempDir Path directory;
  private final MemoryCluster cluster = new MemoryCluster();
  private final Client client = cluster.client();
  private final Machines machines = new Machines(List.of("a", "b"));
  private final Map<String, NetworkNamespace> nodes = machines.all();
  private final Map<String, Agent> agents = new LinkedHashMap<>();
  private final Map<String, String> before = new LinkedHashMap<>();
  private final List<ServerSocket> servers = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    for (String name : nodes.keySet()) {
      before.put(name, machines.traces(name));
      cluster.create(ResourceType.PODS, "default", POD.formatted(name));
    }
    for (NetworkNamespace place : List.of(machines.lan(), node("b"))) {
      servers.add(place.call(NodesTest::tellsCallers));
    }
  }

  /// A server on port 7000 that says who called.
  private static ServerSocket tellsCallers() throws Exception {
    ServerSocket server = new ServerSocket();
    server.bind(new InetSocketAddress("::", 7000));
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (true) {
                  try (Socket caller = server.accept()) {
                    String from = caller.getInetAddress().getHostAddress();
                    caller.getOutputStream().write(from.getBytes(StandardCharsets.US_ASCII));
                  }
                }
              } catch (java.io.IOException _) {
                // Closed.
              }
            });
    return server;
  }

  @AfterEach
  void stop() throws Exception {
    try {
      agents.values().forEach(Agent::close);
      for (Map.Entry<String, NetworkNamespace> node : nodes.entrySet()) {
        HostNamespace host = HostNamespace.of(node.getValue());
        assertThat(Agent.removeAll(directory.resolve(node.getKey()), host)).isTrue();
        assertThat(machines.traces(node.getKey())).isEqualTo(before.get(node.getKey()));
      }
    } finally {
      for (ServerSocket server : servers) {
        server.close();
      }
      machines.close();
      cluster.close();
    }
  }

  private NetworkNamespace node(String name) {
    return machines.of(name);
  }

  /// Starts, or starts again, both agents, and waits until their pods are ready.
  private void run(RouteMode mode) throws InterruptedException {
    agents.values().forEach(Agent::close);
    agents.clear();
    int number = 1;
    for (Map.Entry<String, NetworkNamespace> node : nodes.entrySet()) {
      agents.put(
          node.getKey(),
          Agent.start(
              client,
              AgentOptions.of(
                      node.getKey(),
                      List.of("192.168.77.1" + number, "fd77::1" + number),
                      directory.resolve(node.getKey()),
                      "v1.34.0")
                  .podRanges(
                      List.of(
                          Cidr.parse("10.244." + number + ".0/24"),
                          Cidr.parse("fd00:244:" + number + "::/64")))
                  .clusterRanges(List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32")))
                  .clusterDns(List.of("10.96.0.10"))
                  .host(HostNamespace.of(node.getValue()))
                  .network(new NodeNetworkOptions(mode, Optional.empty()))
                  .build()));
      number++;
    }
    for (String name : nodes.keySet()) {
      await().atMost(PATIENCE).until(() -> answers(name));
    }
  }

  private boolean answers(String name) {
    return cluster.ready(name) && get(node(name), url(address(name, 0), 9376, "/")).equals(name);
  }

  private String address(String name, int family) {
    List<String> addresses = cluster.addresses(name);
    return family < addresses.size() ? addresses.get(family) : "";
  }

  private NetworkNamespace inside(String name) {
    String uid = Json.textOr(cluster.pod(name), "", "metadata", "uid");
    return PodNetwork.namespace(uid + ".0");
  }

  private static String url(String address, int port, String path) {
    return "http://" + (address.contains(":") ? "[" + address + "]" : address) + ":" + port + path;
  }

  private static String get(NetworkNamespace from, String url) {
    return spelled(MemoryCluster.curl(from, url));
  }

  /// Addresses in one spelling, whichever tool writes them.
  private static String spelled(String address) {
    IpAddress read = IpAddress.parseOrNull(address);
    return read == null ? address : read.unmapped().toString();
  }

  private static String raw(NetworkNamespace from, String address) {
    return from.call(
        () -> {
          try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, 7000), 20_000);
            return spelled(
                new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
          }
        });
  }

  /// Asked until the answer is right: the other node may not have heard of this one yet.
  private static void eventually(Callable<String> question, String answer) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(question.call()).isEqualTo(answer));
  }

  @TestFactory
  Stream<DynamicTest> twoNodes() {
    List<DynamicTest> rows = new ArrayList<>();
    for (RouteMode mode : List.of(RouteMode.VXLAN, RouteMode.ROUTES)) {
      rows.add(row(mode, "agents start", () -> run(mode)));
      rows.add(row(mode, "N73 pods have an address of each family, IPv4 first", this::families));
      for (int family : new int[] {0, 1}) {
        String words = family == 0 ? " by IPv4" : " by IPv6";
        rows.add(row(mode, "N69 pods see each other's addresses" + words, () -> pods(family)));
        rows.add(row(mode, "N69 a node calls a pod" + words, () -> fromNode(mode, family)));
      }
      rows.add(row(mode, "N70 packets are as long as the way allows", () -> length(mode)));
      rows.add(row(mode, "N72 who keeps the source", this::sources));
      rows.add(row(mode, "N53 a port of the node leads to the pod", this::hostPort));
    }
    // The tunnel is there when everything is taken away at the end.
    rows.add(row(RouteMode.VXLAN, "agents change back", () -> run(RouteMode.VXLAN)));
    rows.add(row(RouteMode.VXLAN, "N69 pods see each other again by IPv4", () -> pods(0)));
    rows.add(row(RouteMode.VXLAN, "N69 pods see each other again by IPv6", () -> pods(1)));
    rows.add(dynamicTest("N72 a node that is gone is no longer routed to", this::gone));
    return rows.stream();
  }

  private static DynamicTest row(RouteMode mode, String name, Executable test) {
    return dynamicTest(mode + ": " + name, test);
  }

  private void families() {
    for (String name : nodes.keySet()) {
      int number = name.equals("a") ? 1 : 2;
      assertThat(cluster.addresses(name)).hasSize(2);
      assertThat(address(name, 0)).startsWith("10.244." + number + ".");
      assertThat(address(name, 1)).startsWith("fd00:244:" + number + ":");
      assertThat(get(node(name), url(address(name, 1), 9376, "/"))).isEqualTo(name);
    }
  }

  private void pods(int family) {
    eventually(
        () -> get(inside("a"), url(address("b", family), 9376, "/source")), address("a", family));
    eventually(
        () -> get(inside("b"), url(address("a", family), 9376, "/source")), address("b", family));
  }

  private void fromNode(RouteMode mode, int family) {
    String tunnel = family == 0 ? "10.244.1.0" : "fd00:244:1::";
    String card = family == 0 ? "192.168.77.11" : "fd77::11";
    eventually(
        () -> get(node("a"), url(address("b", family), 9376, "/source")),
        mode == RouteMode.VXLAN ? tunnel : card);
  }

  private void length(RouteMode mode) throws Exception {
    int most = 1450;
    // The pods were made when there were tunnels, and keep their cables.
    assertThat(mtu(inside("a"), "eth0")).contains(most);
    assertThat(mtu(node("a"), NodeRoutes.TUNNEL))
        .isEqualTo(mode == RouteMode.VXLAN ? Optional.of(most) : Optional.empty());
    int headers = 28;
    assertThat(ping(most - headers)).isTrue();
    assertThat(ping(most - headers + 1)).isFalse();
    assertThat(echoed(20_000_000)).isEqualTo(20_000_000);
  }

  private static Optional<Integer> mtu(NetworkNamespace place, String link) {
    return place.call(
        () -> {
          try (Rtnetlink network = Rtnetlink.open()) {
            return network.link(link).map(Link::mtu);
          }
        });
  }

  /// Whether a packet that must not be cut arrives.
  private boolean ping(int length) {
    List<String> words = List.of("ping", "-c1", "-W20", "-Mdo", "-s" + length, address("b", 0));
    return CommandRunner.inside(inside("a"), PATIENCE).run("", words).succeeded();
  }

  /// How much of what is sent to another pod comes back.
  private long echoed(int length) throws Exception {
    String address = address("b", 0);
    Socket socket =
        inside("a")
            .call(
                () -> {
                  Socket opened = new Socket();
                  opened.connect(new InetSocketAddress(address, 8080), 20_000);
                  return opened;
                });
    try (socket) {
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      socket.getOutputStream().write(new byte[length]);
                      socket.shutdownOutput();
                    } catch (java.io.IOException _) {
                      // Seen by what does not come back.
                    }
                  });
      long back = 0;
      byte[] buffer = new byte[65536];
      while (back < length) {
        int read = socket.getInputStream().read(buffer);
        if (read < 0) {
          break;
        }
        back += read;
      }
      sender.join();
      return back;
    }
  }

  private void sources() {
    assertThat(raw(inside("a"), "192.168.77.1")).as("outside").isEqualTo("192.168.77.11");
    // A node's own address may be known a moment later than the way to its pods.
    eventually(() -> raw(inside("a"), "192.168.77.12"), address("a", 0));
  }

  private void hostPort() {
    String source = url("192.168.77.12", 8088, "/source");
    String name = url("192.168.77.12", 8088, "/");
    assertThat(get(machines.lan(), source)).as("from outside").isEqualTo("192.168.77.1");
    assertThat(get(machines.lan(), url("fd77::12", 8088, "/source")))
        .as("by IPv6")
        .isEqualTo("fd77::1");
    assertThat(get(node("b"), name)).as("from the node").isEqualTo("b");
    assertThat(get(node("b"), url("127.0.0.1", 8088, "/"))).as("loopback").isEqualTo("b");
    assertThat(get(inside("a"), source)).as("from another pod").isEqualTo(address("a", 0));
    assertThat(get(inside("b"), name)).as("from the pod itself").isEqualTo("b");
  }

  private void gone() {
    await().atMost(PATIENCE).until(() -> waysToB().containsAll(EVERY_WAY_TO_B));
    Objects.requireNonNull(agents.get("b")).close();
    client.delete(ResourceType.NODES, new ObjectKey("", "b"), DeleteOptions.DEFAULT);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(waysToB()).isEmpty());
  }

  /// What the first node knows of the second.
  private List<String> waysToB() {
    String known =
        Machines.shell(
            node("a"), "ip route; ip -6 route; ip neigh; ip -6 neigh; bridge fdb show dev fl.1");
    return EVERY_WAY_TO_B.stream().filter(known::contains).toList();
  }
}
