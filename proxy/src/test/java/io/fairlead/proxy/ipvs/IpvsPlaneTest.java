package io.fairlead.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.IpvsChange;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.testing.FakeVirtualServers;
import io.fairlead.proxy.testing.GoldenScenario;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// The mode on a kernel in memory: the vectors of spec/proxy.md 7.6, what a change costs, and what
/// happens when the kernel is not as expected.
class IpvsPlaneTest {
  private static final String VIP = "10.112.1.1";

  @TempDir Path directory;
  private FakeNode node;
  private IpvsPlane plane;

  @BeforeEach
  void open() {
    node = new FakeNode(directory);
    plane = node.plane(IpAddress.Family.IPV4, IpvsSettings.standard());
  }

  private static Plan service(String... endpoints) {
    return new IpvsTestPlans().with("web", VIP, 80, endpoints).plan();
  }

  private List<String> lines(String part) {
    return node.state().servers().stream().filter(line -> line.contains(part)).toList();
  }

  private static RealServer real(String address, int port) {
    return new RealServer(IpPrefix.parse(address).address(), port, 1);
  }

  /// Those of UDP never end by themselves as far as the kernel counts, foreign ones are not ours.
  @Test
  void itCarriesWhileTcpConnectionsAreOpen() {
    plane =
        node.plane(
            IpAddress.Family.IPV4,
            IpvsSettings.standard().withExcluded(List.of(Cidr.parse("10.112.2.0/24"))));
    PlanFollower.apply(
        plane,
        new IpvsTestPlans()
            .with("web", VIP, 80, "10.64.1.11:80")
            .with("dns", VIP, 53, Protocol.UDP, "", "10.64.1.12:53")
            .with("foreign", "10.112.2.1", 80, "10.64.1.13:80")
            .plan());
    node.servers.connect(real("10.64.1.12", 53), 7);
    node.servers.connect(real("10.64.1.13", 80), 7);
    assertThat(plane.carries()).isFalse();
    node.servers.connect(real("10.64.1.11", 80), 1);
    assertThat(plane.carries()).isTrue();
    assertThat(plane.carries()).isTrue();
    node.servers.connect(real("10.64.1.11", 80), 0);
    assertThat(plane.carries()).isFalse();
  }

  @Test
  void vectors1To5And12HoldForTheFixture() {
    PlanFollower.apply(
        plane, new Fixture(IpAddress.Family.IPV4, Protocol.TCP).plan(Setup.STANDARD));
    for (String place :
        List.of(
            "10.112.0.2:80",
            "198.18.1.2:80",
            "198.18.0.2:80",
            "192.0.2.10:30080",
            "192.0.2.11:30080")) {
      assertThat(lines(" " + place + " "))
          .as("I1 " + place)
          .containsExactly(
              "-A -t " + place + " -s rr",
              "-a -t " + place + " -r 10.64.1.11:8080 -m -w 1",
              "-a -t " + place + " -r 10.64.2.11:8080 -m -w 1");
    }
    assertThat(node.state().addresses())
        .contains("10.112.0.2/32", "198.18.1.2/32", "198.18.0.2/32")
        .noneMatch(address -> address.startsWith("192.0.2."));
    assertThat(lines("-a -t 192.0.2.10:30081 ")).as("I2").hasSize(1);
    assertThat(lines("-a -t 198.18.0.3:80 ")).as("I2").hasSize(1);
    assertThat(lines("-a -t 10.112.0.3:80 ")).as("I2").hasSize(2);
    assertThat(lines("-a -t 198.18.0.4:80 "))
        .as("I3")
        .containsExactly("-a -t 198.18.0.4:80 -r 10.64.2.11:8080 -m -w 1");
    assertThat(lines("10.112.0.6:80")).as("I4").containsExactly("-A -t 10.112.0.6:80 -s rr");
    assertThat(lines("-A -t 10.112.0.9:80"))
        .as("I5")
        .containsExactly("-A -t 10.112.0.9:80 -s rr -p 10800");
    assertThat(SetKind.LOAD_BALANCER_SOURCE_CIDR.name(IpAddress.Family.IPV6))
        .as("I12")
        .isEqualTo("KUBE-6-LOAD-BALANCER-SOURCE-CID");
  }

  @Test
  void vector6MaglevHashesThePortToo() {
    IpvsPlane maglev =
        node.plane(IpAddress.Family.IPV4, IpvsSettings.standard().withScheduler("mh"));
    PlanFollower.apply(maglev, service("10.64.1.11"));
    assertThat(lines("-A ")).containsExactly("-A -t 10.112.1.1:80 -s mh -b mh-port");
  }

  @Test
  void vector7AnExternalAddressOfTheNodeIsNotBound() {
    GoldenScenario golden = GoldenScenario.of("externalips");
    List<ObjectNode> objects = golden.objects(golden.steps().getFirst());
    for (ObjectNode object : objects) {
      if (Json.textOr(object, "", "kind").equals("Service")
          && object.path("spec").has("externalIPs")) {
        ((ObjectNode) object.path("spec")).putArray("externalIPs").add("192.0.2.11");
      }
    }
    PlanFollower.apply(plane, ProxyTestObjects.plan(golden.node(IpAddress.Family.IPV4), objects));
    assertThat(lines("-A -t 192.0.2.11:")).isNotEmpty();
    assertThat(node.state().addresses()).doesNotContain("192.0.2.11/32");
  }

  @Test
  void vector8AnEndpointWithConnectionsGetsWeightZeroFirst() {
    PlanFollower.apply(plane, service("10.64.1.11", "10.64.2.11"));
    node.servers.connect(real("10.64.1.11", 80), 1);
    PlanFollower.apply(plane, service("10.64.2.11"));
    assertThat(lines("-r 10.64.1.11:80")).allMatch(line -> line.endsWith("-w 0"));
    assertThat(PlanFollower.reconcile(plane, service("10.64.2.11")).writes()).isZero();
    PlanFollower.apply(plane, service("10.64.1.11", "10.64.2.11"));
    assertThat(lines("-r 10.64.1.11:80")).as("it is back").allMatch(line -> line.endsWith("-w 1"));
    PlanFollower.apply(plane, service("10.64.2.11"));
    node.servers.connect(real("10.64.1.11", 80), 0);
    PlanFollower.reconcile(plane, service("10.64.2.11"));
    assertThat(lines("-r 10.64.1.11:80")).as("its last connection ended").isEmpty();
  }

  @Test
  void vector8DatagramsAreNotWaitedFor() {
    IpvsTestPlans both =
        new IpvsTestPlans().with("dns", VIP, 53, Protocol.UDP, "", "10.64.1.11", "10.64.2.11");
    PlanFollower.apply(plane, both.plan());
    node.servers.connect(real("10.64.1.11", 53), 7);
    PlanFollower.apply(
        plane, new IpvsTestPlans().with("dns", VIP, 53, Protocol.UDP, "", "10.64.2.11").plan());
    assertThat(lines("-r 10.64.1.11:53")).isEmpty();
  }

  @Test
  void vector9ForeignServersGoUnlessTheyAreExcluded() {
    for (String address : List.of("10.99.0.1", "10.98.0.1", "fd00::1")) {
      node.servers.apply(
          List.of(
              new IpvsChange.AddServer(
                  new VirtualServer(
                      new VirtualServerAddress(IpPrefix.parse(address).address(), 80, 6),
                      "rr",
                      0,
                      0))));
    }
    node.plane(
            IpAddress.Family.IPV4,
            IpvsSettings.standard().withExcluded(List.of(Cidr.parse("10.98.0.0/16"))))
        .reconcile(service("10.64.1.11"));
    assertThat(lines("10.99.0.1")).isEmpty();
    assertThat(lines("10.98.0.1")).hasSize(1);
    assertThat(lines("fd00::1")).as("the other family's").hasSize(1);
  }

  @Test
  void vector11LocalNodePortsOfSctpReturnBeforeTheMark() {
    DesiredIpvsState desired = new DesiredIpvsState();
    RenderedServicePort entries =
        new RenderedServicePort(
            List.of(),
            List.of(),
            List.of(
                new IpsetEntry(SetKind.NODE_PORT_SCTP, "192.0.2.10,sctp:30000"),
                new IpsetEntry(SetKind.NODE_PORT_LOCAL_SCTP, "192.0.2.10,sctp:30000")),
            List.of());
    desired.add(new ServicePortName("shop", "sctp", "", Protocol.SCTP), entries);
    List<String> rules =
        new SavedIptables(IpvsChains.of(IpvsTestPlans.NODE, desired), List.of())
            .chains(SavedIptables.NAT)
            .getOrDefault("KUBE-NODE-PORT", List.of());
    assertThat(rules).hasSize(2);
    assertThat(rules.getFirst())
        .startsWith("-p sctp ")
        .contains("--match-set KUBE-NODE-PORT-LOCAL-SCTP-HASH dst,dst")
        .endsWith("-j RETURN");
    assertThat(rules.getLast())
        .contains("--match-set KUBE-NODE-PORT-SCTP-HASH dst,dst")
        .endsWith("-j KUBE-MARK-MASQ");
  }

  @Test
  void oneChangedEndpointIsOneMessageAndNoTool() {
    PlanFollower.apply(plane, service("10.64.2.11", "10.64.2.12"));
    node.servers.takeMade();
    int restores = node.sets.restores();
    int documents = node.tables.values().stream().mapToInt(t -> t.documents().size()).sum();
    assertThat(
            PlanFollower.apply(plane, service("10.64.2.11", "10.64.2.12", "10.64.2.13")).writes())
        .isEqualTo(1);
    assertThat(node.servers.takeMade())
        .singleElement()
        .isInstanceOf(IpvsChange.AddReal.class)
        .hasToString("add real server 10.64.2.13:80 to tcp 10.112.1.1:80");
    assertThat(PlanFollower.apply(plane, service("10.64.2.11", "10.64.2.13")).writes())
        .isEqualTo(1);
    assertThat(node.servers.takeMade()).singleElement().isInstanceOf(IpvsChange.DeleteReal.class);
    assertThat(PlanFollower.apply(plane, service("10.64.2.11", "10.64.2.13")).writes()).isZero();
    assertThat(node.sets.restores()).isEqualTo(restores);
    assertThat(node.tables.values().stream().mapToInt(t -> t.documents().size()).sum())
        .isEqualTo(documents);
  }

  @Test
  void aServiceMayChooseItsScheduler() {
    PlanFollower.apply(
        plane,
        new IpvsTestPlans()
            .with("one", "10.112.1.1", 80, Protocol.TCP, "lc", "10.64.1.11")
            .with("two", "10.112.1.2", 80, Protocol.TCP, "nonesuch", "10.64.1.11")
            .plan());
    assertThat(lines("-A "))
        .containsExactly("-A -t 10.112.1.1:80 -s lc", "-A -t 10.112.1.2:80 -s rr");
    assertThat(lines("-a ")).hasSize(2);
    assertThat(IpvsSupport.schedulerProblem(node.servers, "nonesuch"))
        .hasValue(
            "the kernel has no IPVS scheduler nonesuch; known are rr, wrr, lc, wlc, lblc, lblcr,"
                + " sh, dh, sed, nq, fo, ovf, mh, twos");
    assertThat(IpvsSupport.schedulerProblem(new FakeVirtualServers(Set.of("rr")), "lc"))
        .hasValue("the kernel has no IPVS scheduler lc (module ip_vs_lc cannot be loaded)");
    assertThat(IpvsSupport.ipsetProblem("ipset v5.2, protocol version: 4"))
        .hasValue("ipset v5.2 is too old, 6.0 is needed");
    assertThat(IpvsSupport.ipsetProblem("ipset v7.17, protocol version: 7")).isEmpty();
  }

  @Test
  void twoServicesWithOneAddressShareItAndTheFirstByNameHasThePort() {
    IpvsTestPlans both =
        new IpvsTestPlans().with("a", VIP, 80, "10.64.2.11").with("b", VIP, 80, "10.64.2.12");
    PlanFollower.apply(plane, both.plan());
    assertThat(lines("-a ")).singleElement().asString().contains("10.64.2.11");
    PlanFollower.apply(plane, new IpvsTestPlans().with("b", VIP, 80, "10.64.2.12").plan());
    assertThat(lines("-a ")).singleElement().asString().contains("10.64.2.12");
    assertThat(node.state().addresses()).containsExactly("10.112.1.1/32");
    PlanFollower.apply(plane, new IpvsTestPlans().plan());
    assertThat(node.state().addresses()).isEmpty();
    assertThat(node.state().servers()).isEmpty();
  }

  @Test
  void settingsOfTheKernelAreRecordedAndRestored() {
    IpvsPlane strict =
        node.plane(IpAddress.Family.IPV4, IpvsSettings.standard().withStrictArp(true));
    assertThat(node.setting("net/ipv4/vs/conntrack")).isEqualTo(1);
    assertThat(node.setting("net/ipv4/conf/all/arp_announce")).isEqualTo(2);
    assertThat(node.setting("net/ipv4/vs/conn_reuse_mode")).isZero();
    PlanFollower.apply(strict, service("10.64.1.11"));
    strict.removeAll();
    assertThat(node.setting("net/ipv4/vs/conntrack")).isZero();
    assertThat(node.setting("net/ipv4/conf/all/arp_announce")).isZero();
    assertThat(directory.resolve("record")).doesNotExist();
  }

  @Test
  void whatSomebodyElseBreaksIsRepaired() {
    Plan plan = new Fixture(IpAddress.Family.IPV4, Protocol.TCP).plan(Setup.STANDARD);
    PlanFollower.apply(plane, plan);
    KernelState whole = node.state();
    node.servers.flush();
    node.tables(IpAddress.Family.IPV4).flush();
    node.sets.restore("del KUBE-CLUSTER-IP 10.112.0.3,tcp:80\nadd KUBE-CLUSTER-IP 1.2.3.4,tcp:5\n");
    node.device(IpAddress.Family.IPV4).remove(IpAddress.parse("10.112.0.3"));
    PlanFollower.reconcile(plane, plan);
    node.state().isSameAs(whole);
  }

  @Test
  void aTableThatIsNotAsExpectedIsReadAgain() {
    PlanFollower.apply(plane, service("10.64.2.11"));
    node.servers.flush();
    PlanFollower.apply(plane, service("10.64.2.11", "10.64.2.12"));
    assertThat(lines("-a ")).hasSize(2);
  }

  @Test
  void aFailedSyncIsMadeGoodByTheNext() {
    PlanFollower.apply(plane, service("10.64.2.11"));
    node.tables(IpAddress.Family.IPV4).failNext(1);
    Plan more = new IpvsTestPlans().with("web", VIP, 80, "10.64.1.11", "10.64.2.11").plan();
    assertThat(catchThrowable(() -> PlanFollower.apply(plane, more)))
        .hasMessageContaining("refused");
    PlanFollower.apply(plane, more);
    FakeNode fresh = new FakeNode(directory.resolve("other"));
    fresh.plane(IpAddress.Family.IPV4, IpvsSettings.standard()).reconcile(more);
    node.state().isSameAs(fresh.state());
  }

  /// After many small changes everything is as after one large one.
  @Test
  void changesOneByOneEqualAFreshStart() {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    IpvsTestPlans last = new IpvsTestPlans();
    for (int round = 0; round < 200; round++) {
      last = new IpvsTestPlans();
      for (int service = 0; service < 6; service++) {
        if (random.nextInt(4) == 0) {
          continue;
        }
        List<String> endpoints = new ArrayList<>();
        for (int endpoint = 1; endpoint < 5; endpoint++) {
          if (random.nextBoolean()) {
            endpoints.add("10.64." + (1 + random.nextInt(2)) + "." + endpoint);
          }
        }
        last.with(
            "s" + service,
            "10.112.2." + (service / 2),
            80 + service % 2,
            random.nextBoolean() ? Protocol.TCP : Protocol.UDP,
            random.nextBoolean() ? "lc" : "",
            endpoints.toArray(String[]::new));
      }
      PlanFollower.apply(plane, last.plan());
    }
    FakeNode fresh = new FakeNode(directory.resolve("fresh"));
    fresh.plane(IpAddress.Family.IPV4, IpvsSettings.standard()).reconcile(last.plan());
    node.state().isSameAs(fresh.state());
  }
}
