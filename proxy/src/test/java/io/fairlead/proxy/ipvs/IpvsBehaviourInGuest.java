package io.fairlead.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.IpvsTimeouts;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.testing.PlanFollower;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the kernel's load balancer does with connections, and what people see of it.
class IpvsBehaviourInGuest {
  private static final String L1 = "10.64.1.11:7070";
  private static final String L2 = "10.64.1.12:7070";
  private static final String R1 = "10.64.2.11:7070";
  private static final String VIP = "10.112.1.1";
  private static final int PORT = 80;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final List<AutoCloseable> SERVERS = new ArrayList<>();
  private static Lab lab;
  private static GuestNode node;
  private IpvsPlane plane;

  @BeforeAll
  static void build() {
    lab = Lab.create();
    node = new GuestNode(lab.node());
    for (String pod : List.of("L1", "L2", "R1")) {
      SERVERS.add(OpenConnection.serve(lab.namespace(pod), pod));
    }
  }

  @AfterAll
  static void remove() throws Exception {
    for (AutoCloseable server : SERVERS) {
      server.close();
    }
    lab.close();
  }

  @BeforeEach
  void open() {
    plane = node.plane(IpAddress.Family.IPV4, IpvsSettings.standard());
  }

  @AfterEach
  void close() {
    lab.node().run(plane::removeAll);
    plane.close();
  }

  private static OpenConnection connect() throws IOException {
    return OpenConnection.open(lab.namespace(Origin.POD), null, VIP, PORT);
  }

  private static OpenConnection connect(String vip, int sourcePort) throws IOException {
    InetSocketAddress own = new InetSocketAddress(InetAddress.getByName("10.64.1.20"), sourcePort);
    return OpenConnection.open(lab.namespace(Origin.POD), own, vip, PORT);
  }

  private static Plan service(String scheduler, String... endpoints) {
    return new IpvsTestPlans().with("web", VIP, PORT, Protocol.TCP, scheduler, endpoints).plan();
  }

  /// The service of the seeds: its three pods behind one address.
  @Test
  void theTranscriptsOfTheSeedsCanBeReproduced() {
    PlanFollower.apply(
        plane,
        new IpvsTestPlans()
            .with(
                "hostnames",
                "10.0.1.175",
                80,
                "10.244.1.7:9376",
                "10.244.2.3:9376",
                "10.244.3.6:9376")
            .plan());
    List<String> lines = node.must("ipvsadm", "-ln").lines().map(String::stripTrailing).toList();
    assertThat(lines)
        .startsWith(
            "IP Virtual Server version 1.2.1 (size=4096)",
            "Prot LocalAddress:Port Scheduler Flags",
            "  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn",
            "TCP  10.0.1.175:80 rr")
        .contains(
            "  -> 10.244.1.7:9376              Masq    1      0          0",
            "  -> 10.244.2.3:9376              Masq    1      0          0",
            "  -> 10.244.3.6:9376              Masq    1      0          0");
    assertThat(plane.observe().listing().lines().map(String::stripTrailing))
        .isEqualTo(lines.subList(1, lines.size()));
    assertThat(node.must("ip", "addr", "show", "dev", "kube-ipvs0"))
        .contains("kube-ipvs0: <BROADCAST,NOARP>", "state DOWN")
        .contains("inet 10.0.1.175/32 scope global kube-ipvs0");
  }

  @Test
  void roundRobinIsExact() throws IOException {
    PlanFollower.apply(plane, service("rr", L1, L2, R1));
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 12; i++) {
      try (OpenConnection kept = connect()) {
        counts.merge(kept.server(), 1, Integer::sum);
      }
    }
    assertThat(counts).isEqualTo(Map.of("L1", 4, "L2", 4, "R1", 4));
    // The kernel adds its counters up every two seconds.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(plane.observe().traffic().values())
                    .as("counted packets")
                    .isNotEmpty()
                    .allMatch(traffic -> traffic.packets() >= 12));
  }

  @Test
  void leastConnectionsFavoursTheIdle() throws IOException {
    PlanFollower.apply(plane, service("lc", L1, L2, R1));
    List<OpenConnection> open = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      open.add(connect());
    }
    assertThat(open.stream().filter(kept -> kept.server().equals("L1"))).hasSize(3);
    for (OpenConnection kept : List.copyOf(open)) {
      if (kept.server().equals("L1")) {
        kept.close();
        open.remove(kept);
      }
    }
    await()
        .atMost(PATIENCE)
        .until(() -> plane.observe().counters().getOrDefault("active_connections", 0L) == 6);
    for (int i = 0; i < 3; i++) {
      OpenConnection next = connect();
      assertThat(next.server()).isEqualTo("L1");
      open.add(next);
    }
    for (OpenConnection kept : open) {
      kept.close();
    }
  }

  @Test
  void sourceHashingSticksToAnEndpoint() throws IOException {
    PlanFollower.apply(plane, service("sh", L1, L2, R1));
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      try (OpenConnection kept = connect()) {
        seen.add(kept.server());
      }
    }
    assertThat(seen.stream().distinct()).hasSize(1);
  }

  /// Who had an endpoint that both Services have keeps it when a third endpoint is missing.
  @Test
  void maglevHashingDisturbsFew() throws IOException {
    String other = "10.112.1.2";
    PlanFollower.apply(
        plane,
        new IpvsTestPlans()
            .with("all", VIP, PORT, Protocol.TCP, "mh", L1, L2, R1)
            .with("fewer", other, PORT, Protocol.TCP, "mh", L1, R1)
            .plan());
    int stayed = 0;
    int could = 0;
    Map<String, Integer> counts = new TreeMap<>();
    for (int port = 21000; port < 21048; port++) {
      // A port that was closed properly could not be used again at once.
      OpenConnection one = connect(VIP, port);
      String first = one.server();
      one.reset();
      counts.merge(first, 1, Integer::sum);
      OpenConnection two = connect(other, port);
      String second = two.server();
      two.reset();
      if (!first.equals("L2")) {
        could++;
        stayed += first.equals(second) ? 1 : 0;
      }
    }
    assertThat(counts).as("all endpoints are used").hasSize(3);
    assertThat(stayed).as("of " + could + " that could stay").isGreaterThanOrEqualTo(could * 3 / 4);
  }

  @Test
  void aSchedulerTheKernelLacksGivesWayToTheGeneralOne() throws IOException {
    PlanFollower.apply(plane, service("nonesuch", L1));
    assertThat(node.must("ipvsadm", "-ln")).contains("TCP  10.112.1.1:80 rr");
    try (OpenConnection kept = connect()) {
      assertThat(kept.server()).isEqualTo("L1");
    }
    assertThat(
            lab.node()
                .call(
                    () ->
                        IpvsSupport.problem("nonesuch", CommandRunner.here(Duration.ofMinutes(1)))))
        .hasValueSatisfying(
            why -> assertThat(why).contains("the kernel has no IPVS scheduler nonesuch"));
    assertThat(lab.node().call(() -> IpvsSupport.problem("wlc", CommandRunner.here(PATIENCE))))
        .isEmpty();
  }

  /// Vector I8: an endpoint that goes keeps its connections, gets no new ones, and is deleted when
  /// the last has ended; one that comes back is used again.
  @Test
  void anEndpointLeavesWhenItsConnectionsHaveEnded() throws IOException {
    PlanFollower.apply(plane, service("", L1, R1));
    OpenConnection kept = connect();
    while (!kept.server().equals("L1")) {
      kept.reset();
      kept = connect();
    }
    PlanFollower.apply(plane, service("", R1));
    assertThat(weights()).contains("10.64.1.11:7070 0", "10.64.2.11:7070 1");
    assertThat(kept.works()).isTrue();
    for (int i = 0; i < 4; i++) {
      try (OpenConnection next = connect()) {
        assertThat(next.server()).isEqualTo("R1");
      }
    }
    PlanFollower.apply(plane, service("", L1, R1));
    assertThat(weights()).contains("10.64.1.11:7070 1");
    assertThat(kept.works()).isTrue();
    PlanFollower.apply(plane, service("", R1));
    PlanFollower.reconcile(plane, service("", R1));
    assertThat(weights()).contains("10.64.1.11:7070 0");
    assertThat(kept.works()).isTrue();
    kept.reset();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () -> {
              PlanFollower.reconcile(plane, service("", R1));
              assertThat(weights()).containsExactly("10.64.2.11:7070 1");
            });
  }

  private static List<String> weights() {
    return node.must("ipvsadm", "-Sn")
        .lines()
        .filter(line -> line.startsWith("-a"))
        .map(line -> line.split(" "))
        .map(words -> words[4] + " " + words[7])
        .toList();
  }

  @Test
  void whatSomebodyFlushesComesBackAndConnectionsLiveOn() throws IOException {
    Plan plan = service("", L1);
    PlanFollower.apply(plane, plan);
    KernelState whole = node.state();
    AtomicInteger noticed = new AtomicInteger();
    lab.node().run(() -> plane.onDrift(noticed::incrementAndGet));
    try (OpenConnection kept = connect()) {
      node.script(
          """
          iptables -t nat -F KUBE-SERVICES
          iptables -F KUBE-IPVS-FILTER
          ipset flush KUBE-CLUSTER-IP
          ip addr flush dev kube-ipvs0
          """);
      await().atMost(PATIENCE).until(() -> noticed.get() > 0);
      PlanFollower.reconcile(plane, plan);
      node.state().isSameAs(whole);
      assertThat(kept.works()).isTrue();
    }
    noticed.set(0);
    node.must("ipvsadm", "-C");
    await().atMost(PATIENCE).until(() -> noticed.get() > 0);
    PlanFollower.reconcile(plane, plan);
    node.state().isSameAs(whole);
    node.must("ip", "link", "delete", "kube-ipvs0");
    await().atMost(PATIENCE).until(() -> noticed.get() > 1);
    PlanFollower.reconcile(plane, plan);
    node.state().isSameAs(whole);
    assertThat(connect().server()).isEqualTo("L1");
  }

  /// What network policies rely on (PV69): a connection that the balancer takes leaves the node by
  /// `output`, new and from the client's own address, and never by `forward`; the answers are
  /// forwarded.
  @Test
  void aConnectionLeavesByOutputInTheNameOfTheClient() throws IOException {
    PlanFollower.apply(plane, service("rr", L1));
    String there = "-p tcp -s 10.64.1.20 -d 10.64.1.11 --dport 7070";
    String back = "-p tcp -s 10.64.1.11 -d 10.64.1.20 --sport 7070";
    node.script(
        """
        iptables -t mangle -A OUTPUT %1$s --syn -m conntrack --ctstate NEW
        iptables -t mangle -A FORWARD %1$s
        iptables -t mangle -A OUTPUT %2$s
        iptables -t mangle -A FORWARD %2$s -m conntrack --ctstate ESTABLISHED
        """
            .formatted(there, back));
    try (OpenConnection kept = connect()) {
      assertThat(kept.server()).isEqualTo("L1");
    }
    List<Long> packets =
        node.script(
                """
                iptables -t mangle -vxnL OUTPUT
                iptables -t mangle -vxnL FORWARD
                iptables -t mangle -F OUTPUT
                iptables -t mangle -F FORWARD
                """)
            .lines()
            .map(String::strip)
            .filter(line -> line.contains("10.64.1.20"))
            .map(line -> Long.valueOf(line.split(" +")[0]))
            .toList();
    assertThat(packets).hasSize(4);
    assertThat(packets.getFirst()).as("new, by output").isPositive();
    assertThat(packets.subList(1, 3)).as("answers by output, forwarded").containsOnly(0L);
    assertThat(packets.getLast()).as("answers forwarded").isPositive();
  }

  /// Vector I9, timeouts and strict ARP.
  @Test
  void foreignServersGoUnlessTheyAreExcluded() {
    node.script(
        """
        ipvsadm -A -t 10.99.0.1:80 -s rr
        ipvsadm -A -t 10.98.0.1:80 -s rr
        """);
    IpvsSettings settings =
        IpvsSettings.standard()
            .withExcluded(List.of(Cidr.parse("10.98.0.0/16")))
            .withStrictArp(true)
            .withTimeouts(new IpvsTimeouts(1000, 0, 0));
    IpvsPlane strict = node.plane(IpAddress.Family.IPV4, settings);
    PlanFollower.apply(strict, service("", L1));
    assertThat(node.must("ipvsadm", "-Sn"))
        .contains("-A -t 10.98.0.1:80 -s rr")
        .doesNotContain("10.99.0.1");
    assertThat(node.script("cat /proc/sys/net/ipv4/conf/all/arp_ignore; ipvsadm -l --timeout"))
        .startsWith("1\n")
        .contains("1000 120 300");
    lab.node().run(strict::removeAll);
    strict.close();
    assertThat(node.script("cat /proc/sys/net/ipv4/conf/all/arp_ignore; ipvsadm -Sn; ipvsadm -C"))
        .startsWith("0\n")
        .contains("-A -t 10.98.0.1:80 -s rr");
  }

  /// The node takes a Service's address for its source, and is then kept from one that does not let
  /// it in.
  @Test
  void theNodeIsKeptFromABalancerAddressThatDoesNotLetItIn() {
    Fixture fixture = new Fixture(IpAddress.Family.IPV4, Protocol.TCP);
    PlanFollower.apply(plane, fixture.plan(Setup.STANDARD));
    NetworkNamespace from = lab.node();
    assertThat(
            Attempt.tcp(
                from, null, new InetSocketAddress("198.18.0.8", 80), Duration.ofMillis(400)))
        .isEqualTo(new Attempt.Unanswered());
  }
}
